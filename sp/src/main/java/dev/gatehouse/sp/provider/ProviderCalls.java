package dev.gatehouse.sp.provider;

import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.http.OutboundHttp;
import dev.gatehouse.common.http.OutboundHttp.Answer;
import dev.gatehouse.common.jose.StrictJson;
import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.key.KeyUse;
import dev.gatehouse.common.realm.ProviderConfig;
import dev.gatehouse.common.realm.ProviderConfig.Client;
import dev.gatehouse.common.realm.ProviderConfig.Proof;
import dev.gatehouse.common.realm.Realm;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/** POSTs forms to a provider's endpoints as its client (RFC 6749, section 2.3; OpenID Connect Core 9). Blocks. */
public final class ProviderCalls {

  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final int MAX_BYTES = 256 << 10;

  /** The result of a call. */
  public sealed interface Reply {
    /** The endpoint succeeded. */
    record Done(Map<String, Object> json) implements Reply {}

    /**
     * The endpoint refused.
     *
     * @param error its error code, if well-formed
     */
    record Refused(int status, String error) implements Reply {}

    /**
     * The result is unknown.
     *
     * @param problem for the log
     */
    record Unreachable(String problem) implements Reply {}
  }

  private final OutboundHttp http;
  private final KeyRings keyRings;
  private final ClientProof proofs;

  public ProviderCalls(OutboundHttp http, KeyRings keyRings, InstantSource time, RandomGenerator random) {
    this.http = http;
    this.keyRings = keyRings;
    this.proofs = new ClientProof(time, random);
  }

  /** @param provider a provider at which we are a client */
  public Reply post(Realm realm, ProviderConfig provider, URI endpoint, Map<String, String> form) {
    Client client = provider.client().orElseThrow();
    Map<String, String> fields = new LinkedHashMap<>(form);
    Headers headers =
        Headers.of("Content-Type", "application/x-www-form-urlencoded").and("Accept", "application/json");
    switch (client.proof()) {
      case Proof.SecretBasic(var secret) -> {
        String credentials = encode(client.clientId()) + ":" + encode(secret.value());
        String basic = Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.US_ASCII));
        headers = headers.and("Authorization", "Basic " + basic);
      }
      case Proof.SecretPost(var secret) -> {
        fields.put("client_id", client.clientId());
        fields.put("client_secret", secret.value());
      }
      case Proof.PrivateKeyJwt jwt -> {
        fields.put("client_id", client.clientId());
        fields.put("client_assertion_type", ClientProof.TYPE);
        fields.put(
            "client_assertion",
            proofs.make(keyRings.of(realm).current(KeyUse.SP_SIGNING), client.clientId(), provider.issuer()));
      }
    }
    byte[] body = encode(fields).getBytes(StandardCharsets.US_ASCII);
    return reply(http.post(endpoint, headers, body, TIMEOUT, MAX_BYTES));
  }

  /** POSTs with an access token (RFC 6750, section 2.1), for the UserInfo endpoint. */
  public Reply postWithToken(URI endpoint, String accessToken) {
    Headers headers =
        Headers.of("Content-Type", "application/x-www-form-urlencoded")
            .and("Accept", "application/json")
            .and("Authorization", "Bearer " + accessToken);
    return reply(http.post(endpoint, headers, new byte[0], TIMEOUT, MAX_BYTES));
  }

  private static Reply reply(Answer answer) {
    return switch (answer) {
      case Answer.Failed(var cause, String problem) -> new Reply.Unreachable(problem);
      case Answer.Received(int status, byte[] body, var location) -> {
        Optional<Map<String, Object>> json = StrictJson.object(body);
        if (status >= 200 && status < 300) {
          yield json.<Reply>map(Reply.Done::new).orElseGet(() -> new Reply.Unreachable("the answer is not a JSON object"));
        }
        yield status >= 500
            ? new Reply.Unreachable("status " + status)
            : new Reply.Refused(status, json.map(ProviderCalls::error).orElse("-"));
      }
    };
  }

  /** The error code of RFC 6749, section 5.2: visible ASCII without quotation mark and backslash. */
  private static String error(Map<String, Object> json) {
    return json.get("error") instanceof String error && error.matches("[\\x21\\x23-\\x5b\\x5d-\\x7e]{1,80}") ? error : "-";
  }

  private static String encode(Map<String, String> form) {
    return form.entrySet().stream()
        .map(field -> encode(field.getKey()) + "=" + encode(field.getValue()))
        .collect(Collectors.joining("&"));
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
