package dev.gatehouse.gateway.forwardauth;

import dev.gatehouse.common.node.TrustedProxies;
import dev.gatehouse.common.realm.Cidr;
import dev.gatehouse.gateway.message.FieldName;
import dev.gatehouse.gateway.message.HeadLimits;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.message.RequestParser;
import dev.gatehouse.gateway.route.ClientConnection;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A question of another proxy's: refused, or a request without a body, of one Host, that is no question itself. */
public final class ForwardAuthRequestFuzz {

  private static final RequestParser PARSER = new RequestParser(HeadLimits.standard());
  private static final InetAddress PROXY = InetAddress.ofLiteral("127.0.0.1");
  private static final ClientConnection ARRIVAL = new ClientConnection(PROXY, false, TrustedProxies.of(List.of(new Cidr(PROXY, 32))));

  private ForwardAuthRequestFuzz() {}

  public static void fuzzerTestOneInput(byte[] bytes) {
    if (PARSER.parse(bytes) instanceof RequestHead question
        && ForwardAuthRequest.read(question, ARRIVAL, PARSER) instanceof ForwardAuthRequest.Asked(RequestHead head, ForwardAuth by)) {
      boolean oneHost = head.fields().all(FieldName.HOST).size() == 1;
      boolean oneOrigin = head.fields().all(FieldName.X_FORWARDED_PROTO).size() == 1 && head.authority().isEmpty();
      if (!oneHost || !oneOrigin || head.hasBody() || head.fields().bytes()[head.pathStart()] != '/') {
        throw new IllegalStateException("accepted what is in doubt, from " + by);
      }
    }
  }

  public static List<byte[]> seeds() {
    return List.of(
        ascii("GET /.gatehouse/forward-auth/nginx HTTP/1.1\r\nHost: a\r\nX-Original-URL: http://h:80/a?b=c\r\nX-Original-Method: GET\r\n\r\n"),
        ascii("GET /.gatehouse/forward-auth/traefik HTTP/1.1\r\nHost: a\r\nX-Forwarded-Method: POST\r\nX-Forwarded-Proto: "
            + "https\r\nX-Forwarded-Host: h\r\nX-Forwarded-Uri: /a\r\n\r\n"),
        ascii("POST /.gatehouse/forward-auth/envoy/a?b HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nX-Forwarded-Proto: https\r\n\r\n"));
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
