package dev.gatehouse.gateway.cli;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLHandshakeException;

/**
 * Signals that a node did not do what it was asked for, or that nobody knows whether it did. The message says why in sentences; parts of
 * it may be what others wrote.
 */
public final class NodeCallFailed extends RuntimeException {
  private static final long serialVersionUID = 1;

  private static final int FIRST_FAULT = 500;

  /** A problem detail (RFC 9457). */
  record Problem(Optional<String> title, Optional<String> detail, Optional<String> reference) {}

  private final boolean outage;
  private final boolean uncertain;

  private NodeCallFailed(String message, boolean outage, boolean uncertain) {
    super(message, null, false, false);
    this.outage = outage;
    this.uncertain = uncertain;
  }

  /**
   * There was no answer.
   *
   * @param timeout how long the node was given; empty for no limit
   */
  static NodeCallFailed unanswered(URI node, IOException why, Optional<Duration> timeout) {
    return switch (why) {
      case HttpConnectTimeoutException _ -> unsent("The node at " + node + " does not answer: no connection was made in time.");
      case HttpTimeoutException _ ->
          new NodeCallFailed(
              "The node at " + node + " has not answered" + timeout.map(limit -> " within " + limit.toSeconds() + " s").orElse("") + ".",
              true,
              true);
      case ConnectException _ -> unsent("No node answers at " + node + ": start it.");
      case SSLHandshakeException _ -> unsent("There is no TLS connection to the node at " + node + ": " + said(why));
      default -> new NodeCallFailed("The node at " + node + " gives no answer: " + said(why), true, true);
    };
  }

  private static String said(IOException why) {
    return ended(Optional.ofNullable(why.getMessage()).orElse(why.getClass().getSimpleName()));
  }

  private static NodeCallFailed unsent(String message) {
    return new NodeCallFailed(message, true, false);
  }

  /** The answer is a problem. */
  static NodeCallFailed answered(int status, Problem problem) {
    Optional<String> detail = problem.detail().filter(text -> !text.isBlank()).map(NodeCallFailed::ended);
    String titled = problem.title().map(title -> " " + title).orElse("");
    if (status < FIRST_FAULT) {
      String refusal = detail.map("The node refuses: "::concat).orElse("The node refuses (" + status + titled + ").");
      return new NodeCallFailed(refusal, false, false);
    }
    String reference = problem.reference().map(id -> " The log of the node has more, under reference " + id + ".").orElse("");
    return new NodeCallFailed(detail.orElse("The node answers with status " + status + titled + ".") + reference, true, false);
  }

  /**
   * The answer is not one of ours. A success may stand in place of what the node answered, and with a fault, such as the 504 of a proxy,
   * the node's answer may be lost; any other status refuses.
   */
  static NodeCallFailed foreign(URI node, int status) {
    boolean fault = status >= FIRST_FAULT;
    String message = node + " does not answer as a node of Gatehouse does (status " + status + ").";
    return new NodeCallFailed(message, fault, fault || status / 100 == 2);
  }

  static NodeCallFailed interrupted() {
    return new NodeCallFailed("Interrupted.", false, true);
  }

  /** Returns the same with a further sentence. */
  public NodeCallFailed with(String sentence) {
    return new NodeCallFailed(getMessage() + " " + sentence, outage, uncertain);
  }

  private static String ended(String text) {
    return text.endsWith(".") || text.endsWith("?") ? text : text + ".";
  }

  /** Returns whether the same call may succeed later: nobody answered, or the node had a fault. */
  public boolean isOutage() {
    return outage;
  }

  /** Returns whether the node may have done it all the same: it was asked, and there was no answer, or none of ours. */
  public boolean isUncertain() {
    return uncertain;
  }
}
