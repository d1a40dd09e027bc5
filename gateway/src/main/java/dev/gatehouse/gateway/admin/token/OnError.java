package dev.gatehouse.gateway.admin.token;

import dev.gatehouse.gateway.admin.web.BadRequest;

/** What becomes of wrong entries of a file: the query parameter {@code onError}. */
enum OnError {
  STOP,
  SKIP;

  /** Reads the parameter, or throws {@link BadRequest}. */
  static OnError of(String word) {
    return switch (word) {
      case "stop" -> STOP;
      case "skip" -> SKIP;
      default -> throw new BadRequest("`onError` is stop or skip.");
    };
  }
}
