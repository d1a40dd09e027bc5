package dev.gatehouse.idp.oauth.client;

import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.realm.ClientAuthentication.Method;
import dev.gatehouse.common.realm.ThrottleConfig;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.throttle.GuessThrottle;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.Confirmation;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import java.net.InetAddress;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Authenticates the client at the token endpoint and similar endpoints (RFC 6749, section 2.3; OpenID Connect Core 9;
 * RFC 8705). A request must use one method, and one for which the client is registered: a weaker method would make the
 * registered one worthless.
 */
public final class ClientAuthentications {

  private static final Code CLIENT = Code.INVALID_CLIENT;
  private static final String NOT_KNOWN = "the client is not known, or its credentials are wrong";

  private static final String TOO_MANY = "too many wrong secrets of this client came from this address; try again later";
  private static final int LONGEST_ID = 255;

  /**
   * The length of 128 random bits in base64url: nobody can guess such a secret, however often they try (NIST SP
   * 800-63B, section 5.1.4).
   */
  private static final int LEAST_UNGUESSABLE = 22;

  private final Clients clients;
  private final ClientSecrets secrets;
  private final GuessThrottle throttle;
  private final ClientAssertions assertions;
  private final CertificateProofs certificates;

  public ClientAuthentications(
      Clients clients,
      ClientSecrets secrets,
      GuessThrottle throttle,
      ClientAssertions assertions,
      CertificateProofs certificates) {
    this.clients = clients;
    this.secrets = secrets;
    this.throttle = throttle;
    this.assertions = assertions;
    this.certificates = certificates;
  }

  /** The credentials in a request. */
  private sealed interface Proof {
    record Basic(BasicCredentials credentials) implements Proof {}

    record Post(String secret) implements Proof {}

    record Assertion(String type, String jwt) implements Proof {}
  }

  /**
   * Authenticates the client. Refused with {@code invalid_client}, or with {@code invalid_request} if the request uses
   * two methods at once.
   *
   * @throws Parameters.Malformed if a parameter is repeated
   */
  public Result<AuthenticatedClient, OAuthError> authenticate(RealmRequest request, Parameters form) {
    Optional<String> clientId = given(form, "client_id");
    return proofs(request, form).then(proofs -> authenticate(request, clientId, proofs));
  }

  /** A parameter without a value counts as missing (RFC 6749, section 3.2). */
  private static Optional<String> given(Parameters form, String name) {
    return form.one(name).filter(value -> !value.isEmpty());
  }

  private static Result<List<Proof>, OAuthError> proofs(RealmRequest request, Parameters form) {
    List<Proof> proofs = new ArrayList<>();
    List<String> authorization = request.http().headers().all("Authorization");
    if (authorization.size() > 1) {
      return OAuthError.refused(Code.INVALID_REQUEST, "there are two Authorization headers");
    }
    for (String header : authorization) {
      Optional<BasicCredentials> credentials = BasicCredentials.read(header);
      if (credentials.isEmpty()) {
        return OAuthError.refused(CLIENT, "the Authorization header is not HTTP Basic with client ID and secret");
      }
      proofs.add(new Proof.Basic(credentials.get()));
    }
    given(form, "client_secret").ifPresent(secret -> proofs.add(new Proof.Post(secret)));
    Optional<String> assertion = given(form, "client_assertion");
    Optional<String> type = given(form, "client_assertion_type");
    if (assertion.isPresent() != type.isPresent()) {
      return OAuthError.refused(Code.INVALID_REQUEST, "client_assertion and client_assertion_type belong together");
    }
    assertion.ifPresent(jwt -> proofs.add(new Proof.Assertion(type.orElse(""), jwt)));
    return proofs.size() > 1
        ? OAuthError.refused(Code.INVALID_REQUEST, "the client authenticates in more than one way")
        : Result.accepted(proofs);
  }

  private Result<AuthenticatedClient, OAuthError> authenticate(
      RealmRequest request, Optional<String> clientId, List<Proof> proofs) {
    if (proofs.isEmpty()) {
      return unproved(request, clientId);
    }
    return switch (proofs.getFirst()) {
      case Proof.Basic(BasicCredentials credentials) -> basic(request, clientId, credentials);
      case Proof.Post(String secret) ->
          clientId.isEmpty()
              ? OAuthError.refused(Code.INVALID_REQUEST, "client_id is missing")
              : secret(request, clientId.get(), List.of(secret), Method.SECRET_POST);
      case Proof.Assertion(String type, String jwt) -> assertion(request, clientId, type, jwt);
    };
  }

  private Result<AuthenticatedClient, OAuthError> basic(
      RealmRequest request, Optional<String> clientId, BasicCredentials credentials) {
    if (clientId.filter(named -> !credentials.ids().contains(named)).isPresent()) {
      return OAuthError.refused(Code.INVALID_REQUEST, "client_id differs from that in the Authorization header");
    }
    String id =
        credentials.ids().stream()
            .filter(candidate -> clients.find(request.realm(), candidate).isPresent())
            .findFirst()
            .orElse(credentials.ids().getFirst());
    return secret(request, id, credentials.secrets(), Method.SECRET_BASIC);
  }

  /** @param presented spellings of the one secret, of which one must be correct */
  private Result<AuthenticatedClient, OAuthError> secret(
      RealmRequest request, String clientId, List<String> presented, Method method) {
    Optional<Client> client = clients.find(request.realm(), clientId);
    boolean right = false;
    boolean guessable = true;
    for (String secret : presented) {
      if (client.isEmpty()) {
        secrets.matchesNobody(request.realm(), clientId, secret);
      } else if (secrets.matches(request.realm(), client.get(), secret)) {
        right = true;
        guessable = secret.length() < LEAST_UNGUESSABLE;
      }
    }
    // Wrong secrets from the same address (for example from another server behind the same NAT) do not delay a correct
    // one that cannot be guessed.
    Optional<Duration> slowed = right && !guessable ? Optional.empty() : slowed(request, clientId, client.isPresent(), right);
    if (slowed.isPresent()) {
      return new Result.Refused<>(OAuthError.slowed(CLIENT, TOO_MANY, slowed.get()));
    }
    return right ? registered(request, client.orElseThrow(), method) : OAuthError.refused(CLIENT, NOT_KNOWN);
  }

  /**
   * Counts attempts for non-existing clients in the same way. The secret has already been compared; past the limit, the
   * answer does not reveal whether a short secret was correct.
   */
  private Optional<Duration> slowed(RealmRequest request, String clientId, boolean known, boolean right) {
    String realm = request.realm().name();
    String counted = clientId.length() > LONGEST_ID ? "" : clientId;
    InetAddress from = request.http().client();
    ThrottleConfig limits = request.idp().throttle();
    return right
        ? throttle.secretsRefused(realm, counted, from, limits)
        : throttle.secretWasWrong(realm, counted, known, from, limits);
  }

  private Result<AuthenticatedClient, OAuthError> assertion(
      RealmRequest request, Optional<String> clientId, String type, String jwt) {
    if (!type.equals(ClientAssertions.TYPE)) {
      return OAuthError.refused(CLIENT, "the client_assertion_type is not one of ours");
    }
    return assertions
        .check(request, jwt)
        .then(
            proved ->
                clientId.filter(named -> !named.equals(proved.client().id())).isPresent()
                    ? OAuthError.refused(CLIENT, "client_id differs from that in the assertion")
                    : registered(request, proved.client(), proved.method()));
  }

  /** Authenticates by certificate, if the client is not public. */
  private Result<AuthenticatedClient, OAuthError> unproved(RealmRequest request, Optional<String> clientId) {
    if (clientId.isEmpty()) {
      return OAuthError.refused(CLIENT, "the client does not identify itself");
    }
    Optional<Client> found = clients.find(request.realm(), clientId.get());
    if (found.isEmpty()) {
      return OAuthError.refused(CLIENT, NOT_KNOWN);
    }
    Client client = found.get();
    if (client.config().isPublic()) {
      return registered(request, client, Method.NONE);
    }
    Optional<Method> byCertificate =
        client.config().authentication().methods().stream().filter(ClientAuthentications::isByCertificate).findFirst();
    if (byCertificate.isEmpty()) {
      return OAuthError.refused(CLIENT, "the client must authenticate");
    }
    return certificates
        .check(request, client, byCertificate.get())
        .then(proved -> registered(request, client, byCertificate.get()));
  }

  private static boolean isByCertificate(Method method) {
    return method == Method.TLS || method == Method.SELF_SIGNED_TLS;
  }

  private static Result<AuthenticatedClient, OAuthError> registered(RealmRequest request, Client client, Method method) {
    if (!client.config().authentication().methods().contains(method)) {
      return OAuthError.refused(CLIENT, "the client is not registered for " + method.value());
    }
    Optional<X509Certificate> certificate = request.certificates().stream().findFirst();
    return Result.accepted(
        new AuthenticatedClient(
            client, method, certificate.map(c -> new Confirmation.Certificate(CertificateProofs.thumbprint(c)))));
  }
}
