package dev.gatehouse.gateway.message;

/**
 * A response's status line and fields, read strictly.
 *
 * @param status 100 to 599
 * @param reasonStart where the reason phrase begins in the fields' bytes
 * @param framing of the body for the request that it answers
 * @param keepAlive whether the connection may be used again
 */
public record ResponseHead(
    int status, int reasonStart, int reasonEnd, Fields fields, BodyFraming framing, boolean keepAlive)
    implements ParsedResponse {

  public boolean isInterim() {
    return status < 200;
  }
}
