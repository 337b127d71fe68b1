package recordset

import (
	"laundromat/records/dump"
	"laundromat/records/job"
)

// Fields are the columns of the records of a job, with the types of its schema. So many of them as behind says come
// after fields that the spec does not name.
func Fields(j *job.Job) (fields []dump.Column, behind int) {
	names, behind := j.FieldNames()
	for _, name := range names {
		column := dump.Column{Name: name}
		if s := j.Schema(); s != nil {
			column.Type, _ = s.FieldType(name)
		}
		fields = append(fields, column)
	}
	return fields, behind
}
