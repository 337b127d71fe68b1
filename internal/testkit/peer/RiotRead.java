import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.jena.atlas.json.JSON;
import org.apache.jena.atlas.json.JsonObject;
import org.apache.jena.riot.Lang;
import org.apache.jena.riot.RDFLanguages;
import org.apache.jena.riot.RDFParser;
import org.apache.jena.riot.RiotException;
import org.apache.jena.riot.system.ErrorHandler;
import org.apache.jena.riot.writer.WriterStreamRDFPlain;

/**
 * Reads RDF as riot does, without starting anew for each text. One answer a request, in
 * JSON lines: a request is {"format", "base", "file"} (an empty format
 * leaves it to the extension), an answer {"quads", "error",
 * "lines"}: what was read until the first error, in N-Quads; what was said of it; and the
 * lines that were named. Warnings are told and end nothing, as in riot.
 */
public class RiotRead {
    static String jsonLD;

    /** The argument is the name of the reader of JSON-LD, of which there are two. */
    public static void main(String[] args) throws Exception {
        jsonLD = args[0];
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var out = new PrintStream(System.out, true, "UTF-8");
        for (String line; (line = in.readLine()) != null; ) {
            out.println(answer(JSON.parse(line)));
        }
    }

    static String answer(JsonObject request) {
        var text = new StringWriter();
        var lines = new ArrayList<Long>();
        var error = "";
        var to = new WriterStreamRDFPlain(org.apache.jena.atlas.io.IO.wrap(text));
        try {
            var parser = RDFParser.create().source(request.getString("file"));
            var format = request.getString("format");
            if (!format.isEmpty()) parser.forceLang(lang(format)); // else by the file's extension
            parser
                .base(request.getString("base"))
                .errorHandler(new Told(lines))
                .parse(to);
        } catch (Throwable fault) { // whatever it throws is its answer
            error = String.valueOf(fault.getMessage());
            if (error.isEmpty()) error = fault.toString();
        }
        to.finish();
        return "{\"quads\":" + quoted(text.toString()) + ",\"error\":" + quoted(error) + ",\"lines\":" + lines + "}";
    }

    static Lang lang(String format) {
        return RDFLanguages.nameToLang(format.equals("JSON-LD") ? jsonLD : format);
    }

    /** The handler of riot: an error ends the text. */
    static class Told implements ErrorHandler {
        final List<Long> lines;
        Told(List<Long> lines) { this.lines = lines; }
        public void warning(String message, long line, long column) { if (line > 0) lines.add(line); }
        public void error(String message, long line, long column) { warning(message, line, column); throw new RiotException(message); }
        public void fatal(String message, long line, long column) { error(message, line, column); }
    }

    static String quoted(String text) {
        var b = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') b.append('\\').append(c);
            else if (c < 0x20 || c > 0x7e) b.append(String.format("\\u%04x", (int) c));
            else b.append(c);
        }
        return b.append('"').toString();
    }
}
