package dev.gatehouse.idp.oauth.registration;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.db.RegisteredClients.RegisteredClient;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.jose.StrictJson;
import dev.gatehouse.common.realm.ClientAuthentication.ClientSecret;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import dev.gatehouse.idp.oauth.OAuthReplies;
import dev.gatehouse.idp.oauth.client.ClientSecrets;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Registers clients (RFC 7591, section 3; OpenID Connect Dynamic Client Registration 1.0, section 3) and lets each
 * manage its own registration (RFC 7592). The registration access token is stored as a keyed digest; the secret is
 * stored sealed, because its client may ask for it again.
 */
public final class RegistrationEndpoint implements Endpoint {

  public static final String PATH = "connect/register";

  private static final int ID_BYTES = 16;

  private final Registrations registrations;
  private final RegistrationAccess access;
  private final SectorCheck sectors;
  private final ClientSecrets secrets;
  private final OAuthReplies replies;
  private final AuditLog audit;
  private final InstantSource clock;
  private final RandomGenerator random;

  RegistrationEndpoint(
      Registrations registrations,
      RegistrationAccess access,
      SectorCheck sectors,
      ClientSecrets secrets,
      OAuthReplies replies,
      AuditLog audit,
      InstantSource clock,
      RandomGenerator random) {
    this.registrations = registrations;
    this.access = access;
    this.sectors = sectors;
    this.secrets = secrets;
    this.replies = replies;
    this.audit = audit;
    this.clock = clock;
    this.random = random;
  }

  @Override
  public EdgeReply handle(RealmRequest request) {
    String clientId = request.http().queryParameters().one("client_id").orElse("-");
    Result<EdgeReply, OAuthError> answer =
        switch (request.http().method()) {
          case "POST" -> register(request);
          case "PUT" -> own(request, clientId).then(entry -> change(request, entry));
          case "DELETE" -> own(request, clientId).then(entry -> remove(request, entry));
          default -> own(request, clientId).then(entry -> Result.accepted(answer(request, 200, entry, Optional.empty())));
        };
    return switch (answer) {
      case Result.Accepted(EdgeReply reply) -> reply;
      case Result.Refused(OAuthError error) -> replies.refused(request, clientId, error);
    };
  }

  private Result<EdgeReply, OAuthError> register(RealmRequest request) {
    return access.check(request).then(by -> register(request, by));
  }

  private Result<EdgeReply, OAuthError> register(RealmRequest request, String by) {
    return body(request)
        .then(sent -> ClientMetadata.read(sent, request.idp().oauth(), !by.equals(Registrations.LOOPBACK)))
        .then(sectors::check)
        .then(metadata -> register(request, metadata, by));
  }

  private Result<EdgeReply, OAuthError> register(RealmRequest request, ClientMetadata metadata, String by) {
    byte[] bytes = new byte[ID_BYTES];
    random.nextBytes(bytes);
    String clientId = HexFormat.of().formatHex(bytes);
    String token = ClientSecrets.create(random);
    RegisteredClient entry =
        new RegisteredClient(
            request.realm().name(),
            clientId,
            StrictJson.write(metadata.metadata()),
            metadata.method().needsSecret() ? Optional.of(newSecret(request, clientId)) : Optional.empty(),
            access.digest(request, clientId, token),
            by,
            clock.instant());
    return registrations
        .add(entry)
        .then(
            added -> {
              audited(request, clientId, "registered", by);
              return Result.accepted(answer(request, 201, added, Optional.of(token)));
            });
  }

  private String newSecret(RealmRequest request, String clientId) {
    return secrets
        .seal(request.realm().name(), clientId, ClientSecrets.create(random), Optional.empty())
        .sealed();
  }

  /**
   * The registration whose access token the request contains. Unknown clients and wrong tokens get the same answer (RFC
   * 7592, section 2.1).
   */
  private Result<RegisteredClient, OAuthError> own(RealmRequest request, String clientId) {
    String digest = access.digest(request, clientId, RegistrationAccess.bearer(request).orElse(""));
    return registrations
        .entry(request.realm(), clientId)
        .filter(entry -> isSame(entry.accessDigest(), digest))
        .<Result<RegisteredClient, OAuthError>>map(Result::accepted)
        .orElseGet(() -> OAuthError.refused(Code.INVALID_TOKEN, "the registration access token is not this client's"));
  }

  private static boolean isSame(String known, String shown) {
    return MessageDigest.isEqual(
        known.getBytes(StandardCharsets.US_ASCII), shown.getBytes(StandardCharsets.US_ASCII));
  }

  /** Replaces all metadata, but for the subjects: members that are missing are removed (RFC 7592, section 2.2). */
  private Result<EdgeReply, OAuthError> change(RealmRequest request, RegisteredClient entry) {
    return body(request)
        .then(sent -> sameClient(request, entry, sent))
        .then(
            sent ->
                ClientMetadata.read(
                    sent, request.idp().oauth(), !entry.registeredBy().equals(Registrations.LOOPBACK)))
        .then(metadata -> SameSubjects.check(Registrations.metadata(entry), metadata))
        .then(sectors::check)
        .then(metadata -> change(request, entry, metadata));
  }

  private Result<EdgeReply, OAuthError> change(RealmRequest request, RegisteredClient entry, ClientMetadata metadata) {
    Optional<String> secret =
        metadata.method().needsSecret()
            ? entry.secret().or(() -> Optional.of(newSecret(request, entry.clientId())))
            : Optional.empty();
    RegisteredClient changed =
        new RegisteredClient(
            entry.realm(), entry.clientId(), StrictJson.write(metadata.metadata()), secret, entry.accessDigest(),
            entry.registeredBy(), entry.registeredAt());
    if (!registrations.change(changed)) {
      return OAuthError.refused(Code.INVALID_TOKEN, "the client is gone");
    }
    audited(request, entry.clientId(), "changed", "client");
    return Result.accepted(answer(request, 200, changed, Optional.empty()));
  }

  private Result<Map<String, Object>, OAuthError> sameClient(
      RealmRequest request, RegisteredClient entry, Map<String, Object> sent) {
    if (!entry.clientId().equals(sent.get("client_id"))) {
      return OAuthError.refused(Code.INVALID_CLIENT_METADATA, "client_id is not this client's");
    }
    boolean sameSecret =
        !(sent.get("client_secret") instanceof String shown)
            || Registrations.secret(entry)
                .filter(
                    known ->
                        isSame(
                            access.digest(request, entry.clientId(), secrets.value(request.realm(), entry.clientId(), known)),
                            access.digest(request, entry.clientId(), shown)))
                .isPresent();
    return sameSecret
        ? Result.accepted(sent)
        : OAuthError.refused(Code.INVALID_CLIENT_METADATA, "client_secret is not this client's");
  }

  private Result<EdgeReply, OAuthError> remove(RealmRequest request, RegisteredClient entry) {
    registrations.remove(entry.realm(), entry.clientId());
    audited(request, entry.clientId(), "removed", "client");
    return Result.accepted(EdgeReply.noContent());
  }

  private static Result<Map<String, Object>, OAuthError> body(RealmRequest request) {
    String type = request.http().headers().first("Content-Type").orElse("").toLowerCase(Locale.ROOT);
    // A page from another site can send other types without a preflight request.
    if (!type.equals("application/json") && !type.startsWith("application/json;")) {
      return OAuthError.refused(Code.INVALID_CLIENT_METADATA, "the Content-Type is not application/json");
    }
    return StrictJson.object(request.http().body())
        .<Result<Map<String, Object>, OAuthError>>map(Result::accepted)
        .orElseGet(() -> new Result.Refused<>(ClientMetadata.unreadable()));
  }

  /**
   * The answer of RFC 7591, section 3.2.1, and RFC 7592, section 3.
   *
   * @param token shown when it is created, and never again
   */
  private EdgeReply answer(RealmRequest request, int status, RegisteredClient entry, Optional<String> token) {
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("client_id", entry.clientId());
    answer.put("client_id_issued_at", entry.registeredAt().getEpochSecond());
    for (ClientSecret secret : Registrations.secret(entry).stream().toList()) {
      answer.put("client_secret", secrets.value(request.realm(), entry.clientId(), secret));
      answer.put("client_secret_expires_at", 0);
    }
    answer.put("registration_client_uri", request.location(PATH) + "?client_id=" + entry.clientId());
    token.or(() -> RegistrationAccess.bearer(request)).ifPresent(shown -> answer.put("registration_access_token", shown));
    answer.putAll(Registrations.metadata(entry));
    return OAuthReplies.json(status, StrictJson.write(answer).getBytes(StandardCharsets.UTF_8));
  }

  private void audited(RealmRequest request, String clientId, String change, String by) {
    audit.record(new AuditEvent.ClientChanged(request.context(), clientId, change, by));
  }
}
