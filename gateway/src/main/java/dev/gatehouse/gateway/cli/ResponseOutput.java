package dev.gatehouse.gateway.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Prints responses: results to one stream, refusals to the other, in the same form. */
final class ResponseOutput {

  /** The form of printed responses. */
  enum Form {
    TABLE,
    JSON
  }

  private static final JsonMapper JSON = new JsonMapper();
  private static final ObjectWriter PRETTY = JSON.writerWithDefaultPrettyPrinter();
  private static final List<String> SHOWN_FIRST = List.of("type", "title", "status", "detail", "instance");
  private static final int FIRST_ERROR = 400;

  private final PrintWriter out;
  private final PrintWriter err;
  private final Form form;

  ResponseOutput(PrintWriter out, PrintWriter err, Form form) {
    this.out = out;
    this.err = err;
    this.form = form;
  }

  /** Returns whether the operation succeeded. */
  static boolean isSuccess(HttpResponse<InputStream> response) {
    return response.statusCode() < FIRST_ERROR;
  }

  /** Prints a response, and returns its JSON, if it has any. */
  Optional<JsonNode> print(HttpResponse<InputStream> response) throws IOException {
    PrintWriter to = isSuccess(response) ? out : err;
    String type = response.headers().firstValue("Content-Type").orElse("");
    try (InputStream body = response.body()) {
      if (!type.matches("application/([a-z]+\\+)?json(;.*)?")) {
        AnswerLines.print(response, to);
        if (!isSuccess(response)) {
          err.println("The node answers with status " + response.statusCode() + ".");
        }
        return Optional.empty();
      }
      JsonNode json = JSON.readTree(body);
      if (form == Form.JSON) {
        to.println(SafeText.lines(PRETTY.writeValueAsString(json)));
      } else if (isSuccess(response)) {
        TableText.of(json).forEach(out::println);
      } else {
        problem(response.statusCode(), json);
      }
      return Optional.of(json);
    } catch (JacksonException e) {
      throw new IOException("The node does not answer with JSON: " + e.getOriginalMessage(), e);
    } finally {
      to.flush();
    }
  }

  private void problem(int status, JsonNode json) {
    String title = json.path("title").asString("");
    String detail = json.path("detail").asString(title);
    String what = "The node refuses (" + status + (title.isEmpty() ? "" : " " + title) + ")";
    err.println(SafeText.line(what + (detail.isEmpty() ? "." : ": " + detail)));
    if (json instanceof ObjectNode problem) {
      ObjectNode rest = problem.deepCopy();
      SHOWN_FIRST.forEach(rest::remove);
      if (!rest.isEmpty()) {
        TableText.of(rest).forEach(err::println);
      }
    }
  }

  /** Prints pages as one: each has one list. */
  final class Pages {
    private boolean isOpen;
    private boolean hasItems;

    /** Prints a successful page and returns where the next one begins. */
    Optional<String> print(HttpResponse<InputStream> response) throws IOException {
      if (form == Form.TABLE) {
        Optional<JsonNode> page = ResponseOutput.this.print(response);
        return page.flatMap(Pages::next);
      }
      try (InputStream body = response.body()) {
        JsonNode page = JSON.readTree(body);
        for (Map.Entry<String, JsonNode> member : page.properties()) {
          if (member.getValue().isArray()) {
            items(member.getKey(), member.getValue());
          }
        }
        return next(page);
      }
    }

    private void items(String name, JsonNode items) {
      if (!isOpen) {
        isOpen = true;
        out.print("{" + JSON.writeValueAsString(name) + ": [");
      }
      for (JsonNode item : items) {
        out.print((hasItems ? ",\n  " : "\n  ") + SafeText.lines(JSON.writeValueAsString(item)));
        hasItems = true;
      }
    }

    private static Optional<String> next(JsonNode page) {
      return Optional.of(page.path("next").asString("")).filter(next -> !next.isEmpty());
    }

    /** Ends the output. */
    void end() {
      if (isOpen) {
        out.println("\n]}");
      }
      out.flush();
    }
  }
}
