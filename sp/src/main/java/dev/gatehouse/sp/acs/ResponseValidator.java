package dev.gatehouse.sp.acs;

import dev.gatehouse.common.realm.PartnerConfig.Link;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.AttributeName;
import dev.gatehouse.common.saml.SamlAttribute;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.message.Assertion;
import dev.gatehouse.common.saml.message.Assertion.AuthnStatement;
import dev.gatehouse.common.saml.message.Assertion.SubjectConfirmation;
import dev.gatehouse.common.saml.message.ReceivedResponse;
import dev.gatehouse.common.saml.message.SamlMessage.Response;
import dev.gatehouse.sp.check.AuthenticationResult;
import dev.gatehouse.sp.check.CheckResult;
import dev.gatehouse.sp.check.ReplayCheck;
import dev.gatehouse.sp.check.RequestRules;
import dev.gatehouse.sp.check.RequestedLogin;
import dev.gatehouse.sp.check.ResponseExpectation;
import dev.gatehouse.sp.check.ResponseRules;
import dev.gatehouse.sp.edge.IdentityProviders;
import dev.gatehouse.sp.edge.ProviderTrust;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.link.AssertedIdentity;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The only class that creates {@link VerifiedAssertion}s. It drops the attributes that do not count, applies
 * {@link ResponseRules} and extracts what the session needs.
 */
public final class ResponseValidator {

  private final PartnerRegistry partners;
  private final ReplayCheck replays;
  private final DroppedValues dropped;
  private final AssertedPassword password;
  private final InstantSource time;

  public ResponseValidator(
      PartnerRegistry partners,
      ReplayCheck replays,
      DroppedValues dropped,
      AssertedPassword password,
      InstantSource time) {
    this.partners = partners;
    this.replays = replays;
    this.dropped = dropped;
    this.password = password;
    this.time = time;
  }

  /** @param requestId the ID of our request that the Response names, if that request is still open */
  Result<VerifiedAssertion, SamlRefusal> validate(SpRealm realm, ReceivedResponse received, Optional<String> requestId) {
    String issuer = received.response().issuer();
    ResponseExpectation expected = expected(realm, issuer, requestId, time.instant());
    return switch (ResponseRules.apply(withAcceptedAttributes(realm, received), expected)) {
      case Result.Refused(SamlRefusal refusal) -> new Result.Refused<>(refusal);
      case Result.Accepted(Assertion assertion) -> new Result.Accepted<>(verified(assertion));
    };
  }

  /**
   * Applies all rules, without effect, to the answer to a test login.
   *
   * @param requested the login that the Response has to answer
   * @param received the Response, read with the keys of an identity provider of the realm
   * @param at the time of receipt
   */
  public InspectedResponse inspect(
      SpRealm realm, RequestedLogin requested, String requestId, ReceivedResponse received, Instant at) {
    String issuer = received.response().issuer();
    ReceivedResponse accepted = withAcceptedAttributes(realm, received);
    List<CheckResult> checks =
        new ArrayList<>(ResponseRules.results(accepted, expected(realm, issuer, Optional.of(requestId), at)));
    List<AttributeVerdict> attributes =
        received.response().assertions().stream()
            .flatMap(assertion -> acceptedAttributes(realm, issuer).verdicts(assertion).stream())
            .toList();
    if (checks.stream().anyMatch(check -> check.refusal().isPresent())) {
      return new InspectedResponse(List.copyOf(checks), attributes, Optional.empty());
    }
    Assertion assertion = accepted.response().assertions().getFirst();
    checks.addAll(RequestRules.results(authentication(assertion), requested));
    return new InspectedResponse(List.copyOf(checks), attributes, Optional.of(identity(assertion)));
  }

  private ResponseExpectation expected(SpRealm realm, String issuer, Optional<String> requestId, Instant now) {
    return new ResponseExpectation(
        realm.sp(),
        issuer,
        !(IdentityProviders.rules(partners, realm, issuer).link() instanceof Link.None),
        requestId,
        now,
        replays.completeSince());
  }

  private AcceptedAttributes acceptedAttributes(SpRealm realm, String issuer) {
    return new AcceptedAttributes(
        issuer,
        ProviderTrust.ofPartner(partners, realm, issuer),
        // One attribute may give both.
        Stream.of(realm.sp().subject().roles(), realm.sp().subject().groups())
            .map(AttributeName::plain)
            .collect(Collectors.toUnmodifiableSet()),
        IdentityProviders.scopes(partners, realm, issuer),
        dropped);
  }

  private ReceivedResponse withAcceptedAttributes(SpRealm realm, ReceivedResponse received) {
    Response response = received.response();
    AcceptedAttributes rules = acceptedAttributes(realm, response.issuer());
    return new ReceivedResponse(
        new Response(
            response.id(),
            response.issueInstant(),
            response.issuer(),
            response.destination(),
            response.inResponseTo(),
            response.status(),
            response.assertions().stream().map(rules::in).toList()),
        received.responseSigned(),
        received.binding(),
        received.relayState());
  }

  private VerifiedAssertion verified(Assertion assertion) {
    Optional<AuthnStatement> statement = assertion.authnStatement();
    return new VerifiedAssertion(
        assertion.id(),
        identity(assertion),
        authentication(assertion),
        statement.flatMap(AuthnStatement::sessionIndex),
        statement.flatMap(AuthnStatement::sessionNotOnOrAfter),
        assertion.issueInstant(),
        acceptableUntil(assertion),
        password.sealed(assertion));
  }

  private static AssertedIdentity identity(Assertion assertion) {
    return new AssertedIdentity(assertion.issuer(), assertion.subject(), attributes(assertion));
  }

  private static AuthenticationResult authentication(Assertion assertion) {
    Optional<AuthnStatement> statement = assertion.authnStatement();
    return new AuthenticationResult(
        assertion.issuer(),
        statement.flatMap(AuthnStatement::authnContextClassRef),
        statement.map(AuthnStatement::authnInstant));
  }

  private static Map<String, List<String>> attributes(Assertion assertion) {
    Map<String, List<String>> values = new LinkedHashMap<>();
    for (SamlAttribute attribute : assertion.attributes()) {
      if (!attribute.values().isEmpty() && !attribute.name().equals(AttributeName.LOGIN_PASSWORD)) {
        values.put(attribute.name(), List.copyOf(attribute.values()));
      }
    }
    return Collections.unmodifiableMap(values);
  }

  /**
   * The latest of the assertion's ends. A later value only keeps the replay mark longer; an earlier value would leave a
   * gap.
   */
  private static Instant acceptableUntil(Assertion assertion) {
    return Stream.concat(
            assertion.notOnOrAfter().stream(),
            assertion.confirmations().stream().map(SubjectConfirmation::notOnOrAfter).flatMap(Optional::stream))
        .max(Instant::compareTo)
        .orElse(assertion.issueInstant())
        .plus(ResponseExpectation.CLOCK_SKEW);
  }
}
