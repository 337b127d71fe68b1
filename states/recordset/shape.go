package recordset

import (
	"laundromat/records/database"
	"laundromat/records/job"
)

// Shape is what is known of the records of a job, for a table in a database.
func Shape(j *job.Job) database.Shape {
	shape := database.Shape{Fleeting: j.AccessFields()}
	fields, _ := Fields(j)
	for _, f := range fields {
		shape.Fields = append(shape.Fields, database.Field{Name: f.Name, Type: f.Type})
	}
	if s := j.Schema(); s != nil {
		shape.Key = s.PrimaryKey()
	}
	return shape
}
