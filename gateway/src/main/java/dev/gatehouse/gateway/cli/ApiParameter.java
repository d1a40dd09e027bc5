package dev.gatehouse.gateway.cli;

import java.util.List;
import java.util.Optional;

/**
 * A parameter of an operation.
 *
 * @param values the only values; empty if there are others
 * @param preset the value if the parameter is absent
 */
record ApiParameter(
    String name, Place place, Type type, boolean required, String description, List<String> values, Optional<String> preset) {

  /** Where the request has it. */
  enum Place {
    PATH,
    QUERY,
    HEADER
  }

  /** The type of its value. */
  enum Type {
    TEXT,
    INTEGER,
    BOOLEAN
  }

  ApiParameter {
    values = List.copyOf(values);
  }

  boolean isIfMatch() {
    return place == Place.HEADER && name.equalsIgnoreCase(ApiOperation.IF_MATCH);
  }

  /** Returns the option of the command line, for example {@code --request-id}. */
  String option() {
    return "--" + CommandNames.kebab(name);
  }
}
