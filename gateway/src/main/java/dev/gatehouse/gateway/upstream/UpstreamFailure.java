package dev.gatehouse.gateway.upstream;

/** How an app failed to answer. */
public enum UpstreamFailure {
  /** Its name is not known, or it accepts no connection. */
  UNREACHABLE(502),
  /** No TLS with it: its certificate is not trusted or is another's, or it speaks none. */
  TLS(502),
  /** It closed or reset the connection before its response began. */
  CLOSED(502),
  /** Its response cannot be read without doubt. */
  MALFORMED(502),
  /** None of its servers is left to ask: their health checks fail, they are drained, or they have all they can take. */
  UNAVAILABLE(503),
  /** All connections that it may have are in use, and too many requests wait for one, or this one has waited too long. */
  BUSY(503),
  /** It took longer than allowed, to accept the connection or to begin its response. */
  TIMEOUT(504);

  private final int status;

  UpstreamFailure(int status) {
    this.status = status;
  }

  public int status() {
    return status;
  }
}
