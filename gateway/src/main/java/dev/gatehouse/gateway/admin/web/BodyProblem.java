package dev.gatehouse.gateway.admin.web;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/** Says why the body of a request cannot be read: which member, and what would be right. No value of the body is repeated. */
final class BodyProblem {

  private BodyProblem() {}

  /** Returns a sentence; empty if the reader gave no reason. */
  static Optional<String> of(Throwable unreadable) {
    for (Throwable cause = unreadable; cause != null; cause = cause.getCause()) {
      if (cause instanceof JacksonException problem) {
        return Optional.of(sentence(problem));
      }
    }
    return Optional.empty();
  }

  /** What the reader says about a member that is there twice; Jackson has no exception of its own for it. */
  private static final Pattern TWICE = Pattern.compile("Duplicate (?:Object property|field) \"(.{1,40})\".*", Pattern.DOTALL);

  private static String sentence(JacksonException problem) {
    Matcher twice = TWICE.matcher(String.valueOf(problem.getOriginalMessage()));
    if (twice.matches()) {
      return "`" + twice.group(1) + "` is there twice.";
    }
    return switch (problem) {
      case UnrecognizedPropertyException unknown ->
          "`" + path(unknown) + "` is not known. Known here: "
              + unknown.getKnownPropertyIds().stream().map(String::valueOf).sorted().collect(Collectors.joining(", ")) + ".";
      case DatabindException mismatch -> {
        String path = path(mismatch);
        yield (path.isEmpty() ? "The body" : "`" + path + "`") + " does not have the type that the OpenAPI document names.";
      }
      default -> "The body is not JSON: line " + problem.getLocation().getLineNr() + ", column " + problem.getLocation().getColumnNr() + ".";
    };
  }

  /** Returns the place as {@code files[0].text}; a name of the body's own is cut. */
  private static String path(JacksonException problem) {
    StringBuilder path = new StringBuilder();
    for (JacksonException.Reference reference : problem.getPath()) {
      String name = reference.getPropertyName();
      if (name == null) {
        path.append('[').append(reference.getIndex()).append(']');
      } else {
        path.append(path.isEmpty() ? "" : ".").append(name, 0, Math.min(name.length(), 40));
      }
    }
    return path.toString();
  }
}
