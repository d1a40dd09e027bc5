package dev.gatehouse.gateway.filter;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.gateway.message.HeadBuffer;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.List;

/**
 * The fields that tell the app the client's address and the original URL: X-Forwarded-For, -Proto, -Host, -Port, and
 * Forwarded (RFC 7239). The client's own values of these reach the app only through trusted proxies.
 */
public final class ForwardedFields {

  private ForwardedFields() {}

  /**
   * Encodes Host and all forwarding fields.
   *
   * @param hops the client, then the trusted proxies it came through, the nearest last
   */
  public static byte[] encode(Origin origin, List<InetAddress> hops) {
    HeadBuffer out = new HeadBuffer();
    String authority = origin.authority();
    out.putField("Host", authority);
    out.put("X-Forwarded-For: ");
    for (int i = 0; i < hops.size(); i++) {
      out.put(i == 0 ? "" : ", ").put(text(hops.get(i)));
    }
    out.endLine();
    out.putField("X-Forwarded-Proto", origin.scheme());
    out.putField("X-Forwarded-Host", authority);
    out.putField("X-Forwarded-Port", Integer.toString(origin.port()));
    out.put("Forwarded: ");
    for (int i = 0; i < hops.size(); i++) {
      String hop = text(hops.get(i));
      boolean v6 = hops.get(i) instanceof Inet6Address;
      out.put(i == 0 ? "for=" : ", for=").put(v6 ? "\"[" + hop + "]\"" : hop);
    }
    out.put(";host=\"").put(authority).put("\";proto=").put(origin.scheme()).endLine();
    return java.util.Arrays.copyOf(out.array(), out.length());
  }

  /** The address without the zone of a link-local address. */
  static String text(InetAddress address) {
    String text = address.getHostAddress();
    int zone = text.indexOf('%');
    return zone < 0 ? text : text.substring(0, zone);
  }
}
