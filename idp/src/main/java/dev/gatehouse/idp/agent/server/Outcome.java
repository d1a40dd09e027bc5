package dev.gatehouse.idp.agent.server;

import java.util.Map;
import java.util.Optional;

/** What became of a request to a server. */
sealed interface Outcome {

  /**
   * The server answered.
   *
   * @param json empty if the body is no JSON object
   * @param retryAfter when to come again
   */
  record Answered(int status, Map<String, Object> json, Optional<String> retryAfter) implements Outcome {

    Optional<String> text(String name) {
      return json.get(name) instanceof String text ? Optional.of(text) : Optional.empty();
    }

    Optional<Integer> number(String name) {
      return json.get(name) instanceof Number number ? Optional.of(number.intValue()) : Optional.empty();
    }
  }

  /** A server answered that does not count any more, or not yet: by its epoch it is no server of the realm as it is now. */
  record Deposed(Answered answer, String why) implements Outcome {}

  /** The server certainly did not take the request: there was no connection. */
  record NotTaken(String why) implements Outcome {}

  /**
   * The request was sent, or may have been, and there is no answer.
   *
   * @param isLate whether its time is over
   */
  record Unknown(String why, boolean isLate) implements Outcome {}

  /** Returns it as a half sentence of a log. */
  default String words() {
    return switch (this) {
      case Answered answered ->
          "it answers " + answered.status()
              + answered.text("error").map(error -> " " + error).orElse("")
              + answered.text("error_description").map(words -> ": " + words).orElse("");
      case Deposed deposed -> deposed.why() + " (" + deposed.answer().words() + ")";
      case NotTaken notTaken -> notTaken.why();
      case Unknown unknown -> unknown.why();
    };
  }
}
