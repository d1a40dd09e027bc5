package dev.gatehouse.common.proxy;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** Fuzz target: Forwarded of RFC 7239. An element that is accepted reads the same after it was written anew. */
public final class ForwardedFuzz {

  private ForwardedFuzz() {}

  public static void fuzzerTestOneInput(byte[] bytes) {
    ForwardedReader.read(List.of(new String(bytes, StandardCharsets.ISO_8859_1))).ifPresent(ForwardedFuzz::check);
  }

  private static void check(List<ForwardedElement> elements) {
    for (ForwardedElement element : elements) {
      StringBuilder again = new StringBuilder("x=y");
      element.client().ifPresent(
          address -> {
            String text = address.getHostAddress();
            again.append(text.indexOf(':') < 0 ? ";for=" + text : ";for=\"[" + text + "]\"");
          });
      element.scheme().ifPresent(scheme -> again.append(";proto=").append(scheme));
      element.authority().ifPresent(
          host -> again.append(";host=\"").append(host.replace("\\", "\\\\").replace("\"", "\\\"")).append('"'));
      if (!ForwardedReader.read(List.of(again.toString())).equals(java.util.Optional.of(List.of(element)))) {
        throw new IllegalStateException("reads differently: " + again);
      }
    }
  }

  public static List<byte[]> seeds() {
    return List.of(
        ProxyHeaders.ascii("for=192.0.2.60;proto=http;by=203.0.113.43, for=\"[2001:db8:cafe::17]:4711\""),
        ProxyHeaders.ascii("For=\"_gaz\\onk\";host=\"a.example:80\";secret=\"\\\",\\\\\",for=unknown;"));
  }
}
