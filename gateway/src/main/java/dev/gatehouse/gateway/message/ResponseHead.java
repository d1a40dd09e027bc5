package dev.gatehouse.gateway.message;

/**
 * A strictly parsed status line with its fields.
 *
 * @param status 100 to 599
 * @param reasonStart index of the reason phrase in the fields' bytes
 * @param framing of the body, which also depends on the request
 * @param keepAlive whether the connection may be reused
 */
public record ResponseHead(
    int status, int reasonStart, int reasonEnd, Fields fields, BodyFraming framing, boolean keepAlive)
    implements ParsedResponse {

  public boolean isInterim() {
    return status < 200;
  }
}
