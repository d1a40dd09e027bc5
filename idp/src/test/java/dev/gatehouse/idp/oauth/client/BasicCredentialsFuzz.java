package dev.gatehouse.idp.oauth.client;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/** The header Authorization: not Basic, or one or two readings each of an ID and a secret. */
public final class BasicCredentialsFuzz {

  private BasicCredentialsFuzz() {}

  public static void fuzzerTestOneInput(byte[] bytes) {
    for (String header :
        List.of(new String(bytes, StandardCharsets.ISO_8859_1), "Basic " + Base64.getEncoder().encodeToString(bytes))) {
      BasicCredentials.read(header)
          .ifPresent(
              read -> {
                if (read.ids().isEmpty() || read.ids().size() > 2 || read.secrets().isEmpty() || read.secrets().size() > 2) {
                  throw new IllegalStateException("neither one reading nor two");
                }
              });
    }
  }

  public static List<byte[]> seeds() {
    return List.of(
        "Basic YTpi".getBytes(StandardCharsets.ISO_8859_1), "urn%3Aapp:secret%+".getBytes(StandardCharsets.ISO_8859_1));
  }
}
