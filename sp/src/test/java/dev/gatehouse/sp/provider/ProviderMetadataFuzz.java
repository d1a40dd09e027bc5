package dev.gatehouse.sp.provider;

import dev.gatehouse.common.http.Loopback;
import dev.gatehouse.common.result.Result;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A provider's metadata: refused, or its own, with endpoints that nobody on the network path can impersonate. */
public final class ProviderMetadataFuzz {

  private static final String ISSUER = "https://op.example";

  private ProviderMetadataFuzz() {}

  public static void fuzzerTestOneInput(byte[] json) {
    if (ProviderMetadata.read(json, ISSUER) instanceof Result.Accepted(ProviderMetadata read)) {
      boolean safe =
          Stream.of(
                  Optional.of(read.jwksUri()),
                  read.authorizationEndpoint(),
                  read.tokenEndpoint(),
                  read.userInfoEndpoint(),
                  read.endSessionEndpoint(),
                  read.introspectionEndpoint(),
                  read.pushedRequests())
              .flatMap(Optional::stream)
              .allMatch(ProviderMetadataFuzz::isSafe);
      if (!safe || !read.issuer().equals(ISSUER)) {
        throw new IllegalStateException("believed " + read);
      }
    }
  }

  private static boolean isSafe(URI url) {
    return url.getHost() != null
        && url.getRawUserInfo() == null
        && url.getScheme().equals("https")
        && !Loopback.isName(url.getHost());
  }

  public static List<byte[]> seeds() {
    String document =
        """
        {"issuer":"https://op.example","jwks_uri":"https://op.example/jwks","authorization_endpoint":"https://op.example/a?x=y",
        "token_endpoint":"https://op.example/t","userinfo_endpoint":"https://op.example/u","end_session_endpoint":"https://op.example/e",
        "introspection_endpoint":"https://op.example/i","pushed_authorization_request_endpoint":"https://op.example/p",
        "require_pushed_authorization_requests":true,"authorization_response_iss_parameter_supported":false}""";
    return List.of(document.getBytes(StandardCharsets.UTF_8));
  }
}
