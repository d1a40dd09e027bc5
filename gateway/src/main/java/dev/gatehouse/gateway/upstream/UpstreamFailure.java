package dev.gatehouse.gateway.upstream;

/** The kinds of failures of an app. */
public enum UpstreamFailure {
  /** Its name cannot be resolved, or it accepts no connection. */
  UNREACHABLE(502),
  /** The TLS handshake failed: its certificate is not trusted or has another name, or it does not support TLS. */
  TLS(502),
  /** It closed or reset the connection before its response began. */
  CLOSED(502),
  /** Its response is malformed. */
  MALFORMED(502),
  /** No server is left: their health checks fail, they are drained, or they have as many requests as they may. */
  UNAVAILABLE(503),
  /** All permitted connections are in use, and too many requests wait for one, or this request has waited too long. */
  BUSY(503),
  /** It took longer than allowed to accept the connection or to begin its response. */
  TIMEOUT(504);

  private final int status;

  UpstreamFailure(int status) {
    this.status = status;
  }

  public int status() {
    return status;
  }
}
