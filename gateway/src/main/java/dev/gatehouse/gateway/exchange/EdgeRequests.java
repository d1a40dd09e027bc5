package dev.gatehouse.gateway.exchange;

import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.gateway.message.Ascii;
import dev.gatehouse.gateway.message.FieldName;
import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.HeadBuffer;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.route.AddressedHost;
import dev.gatehouse.gateway.route.ClientConnection;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Converts the gateway's requests to those that endpoints and pages take, and back. */
public final class EdgeRequests {

  private static final byte[] NOTHING = new byte[0];

  private EdgeRequests() {}

  /** @param path normalised */
  static EdgeRequest of(RequestHead head, Origin origin, InetAddress client, String path, byte[] body) {
    return new EdgeRequest(head.method(), origin, path, head.query(), headers(head.fields()), body, client);
  }

  static EdgeRequest withoutBody(RequestHead head, AddressedHost addressed, String path) {
    return of(head, addressed.origin(), addressed.client(), path, NOTHING);
  }

  /**
   * A placeholder for a request that could not be read, so that it still gets a response: not a navigation, without a
   * real host.
   */
  public static EdgeRequest unreadable(ClientConnection connection) {
    Origin unknown = new Origin(connection.scheme(), "unknown", 80);
    return new EdgeRequest("GET", unknown, "/", "", Headers.empty(), NOTHING, connection.peer());
  }

  /** Encodes a request, so that it is parsed as strictly as one from the network. */
  static byte[] encode(EdgeRequest request) {
    HeadBuffer out = new HeadBuffer();
    out.put(request.method()).put(' ').put(request.path());
    if (!request.query().isEmpty()) {
      out.put('?').put(request.query());
    }
    out.put(" HTTP/1.1").endLine();
    out.putField("Host", request.origin().authority());
    for (Headers.Field field : request.headers().fields()) {
      boolean framing =
          field.name().equalsIgnoreCase("Content-Length")
              || field.name().equalsIgnoreCase("Transfer-Encoding")
              || field.name().equalsIgnoreCase("Expect");
      if (!framing) {
        out.putField(field.name(), field.value());
      }
    }
    out.put("Content-Length: ").put(request.body().length).endLine().endLine();
    return Arrays.copyOf(out.array(), out.length());
  }

  private static Headers headers(Fields fields) {
    List<Headers.Field> list = new ArrayList<>(fields.size());
    for (int i = 0; i < fields.size(); i++) {
      if (fields.name(i) != FieldName.HOST) {
        list.add(
            new Headers.Field(
                Ascii.string(fields.bytes(), fields.nameStart(i), fields.nameEnd(i)), fields.value(i)));
      }
    }
    return Headers.of(list);
  }
}
