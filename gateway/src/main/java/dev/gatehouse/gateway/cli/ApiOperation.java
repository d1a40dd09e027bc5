package dev.gatehouse.gateway.cli;

import java.util.List;
import java.util.Optional;

/**
 * An operation of the administration.
 *
 * @param id its {@code operationId}
 * @param resource the first word of its command, for example {@code partners}
 * @param verb the second word, for example {@code list}
 * @param path the address, with parameters in braces
 * @param role the least role, if the document has one
 */
record ApiOperation(
    String id,
    String resource,
    String verb,
    String method,
    String path,
    String summary,
    Optional<String> role,
    List<ApiParameter> parameters,
    Body body,
    Optional<String> pageParameter) {

  /** Whether the request has a body. */
  enum Body {
    NONE,
    OPTIONAL,
    REQUIRED
  }

  static final String IF_MATCH = "If-Match";

  ApiOperation {
    parameters = List.copyOf(parameters);
  }

  boolean hasIfMatch() {
    return parameters.stream().anyMatch(ApiParameter::isIfMatch);
  }

  /** Returns the same operation under another verb. */
  ApiOperation withVerb(String other) {
    return new ApiOperation(id, resource, other, method, path, summary, role, parameters, body, pageParameter);
  }
}
