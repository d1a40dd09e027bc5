package dev.gatehouse.sp.acs;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.refusal.RefusalTrace;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.Assertion;
import dev.gatehouse.common.saml.message.ReceivedResponse;
import dev.gatehouse.common.saml.message.SamlReader;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.login.PendingRequest;
import dev.gatehouse.sp.login.PendingRequests;
import java.util.List;
import java.util.Optional;

/**
 * {@code /.gatehouse/saml/acs} at the home origin. Accepts Responses by POST and artifacts by GET and POST (SAML
 * Bindings 3.5.5, 3.6.5), and the GET request that continues a saved login.
 */
public final class AssertionConsumerServiceEndpoint {

  static final String RESUME = "resume";

  private final ResponseReader responses;
  private final PendingRequests pendings;
  private final ResponseValidator validator;
  private final LoginCompletion completion;
  private final TestLoginAnswers tests;
  private final SignOnRefusals signOnRefusals;
  private final Refusals refusals;

  AssertionConsumerServiceEndpoint(
      ResponseReader responses,
      PendingRequests pendings,
      ResponseValidator validator,
      LoginCompletion completion,
      TestLoginAnswers tests,
      SignOnRefusals signOnRefusals,
      Refusals refusals) {
    this.responses = responses;
    this.pendings = pendings;
    this.validator = validator;
    this.completion = completion;
    this.tests = tests;
    this.signOnRefusals = signOnRefusals;
    this.refusals = refusals;
  }

  public EdgeReply handle(SpRealm realm, EdgeRequest request) {
    if (!realm.isHome(request)) {
      return refusals.notFound(realm, request);
    }
    return switch (request.method()) {
      case "POST" -> post(realm, request);
      case "GET" -> get(realm, request);
      default -> refusals.methodNotAllowed(realm, request, "GET, POST");
    };
  }

  private EdgeReply get(SpRealm realm, EdgeRequest request) {
    Optional<String> resume = request.queryParameters().one(RESUME);
    if (resume.isPresent()) {
      return completion.resume(realm, request, resume.get());
    }
    return SamlReader.isArtifact(request)
        ? artifact(realm, request)
        : refusals.methodNotAllowed(realm, request, "POST");
  }

  private EdgeReply post(SpRealm realm, EdgeRequest request) {
    Optional<String> resume = request.formParameters().one(RESUME);
    if (resume.isPresent()) {
      return completion.confirm(realm, request, resume.get());
    }
    return SamlReader.isArtifact(request)
        ? artifact(realm, request)
        : received(realm, request, responses.posted(realm, request));
  }

  /**
   * Resolves an artifact. If the identity provider does not deliver the Response, the person may try again: RelayState
   * names the login to repeat if this browser holds the request.
   */
  private EdgeReply artifact(SpRealm realm, EdgeRequest request) {
    Result<ReceivedResponse, SamlRefusal> reading = responses.resolved(realm, request);
    if (testLogin(request, reading).isPresent()) {
      return received(realm, request, reading);
    }
    if (reading instanceof Result.Refused(SamlRefusal refusal)
        && ResponseReader.mayComeAnotherTime(refusal)) {
      Parameters parameters = request.isGet() ? request.queryParameters() : request.formParameters();
      Optional<String> id = parameters.one("RelayState").filter(named -> pendings.isOpen(realm, named));
      String identityProvider =
          id.map(named -> pendings.find(realm, request, named)).map(found -> identityProvider(found)).orElse("-");
      return signOnRefusals.notFetched(realm, request, identityProvider, again(realm, request, id), refusal);
    }
    return received(realm, request, reading);
  }

  private static String identityProvider(PendingRequests.Found found) {
    return found instanceof PendingRequests.Found.Waiting(PendingRequest pending) ? pending.identityProvider() : "-";
  }

  /**
   * Decides whether to offer a choice of identity providers. A request that came in its cookie knows the answer;
   * otherwise the discovery page decides.
   */
  private SignOnRefusals.Again again(SpRealm realm, EdgeRequest request, Optional<String> requestId) {
    return requestId
        .map(
            id ->
                pendings.find(realm, request, id) instanceof PendingRequests.Found.Waiting(PendingRequest pending)
                    ? SignOnRefusals.Again.of(realm, pending)
                    : new SignOnRefusals.Again(requestId, true))
        .orElse(SignOnRefusals.Again.ELSEWHERE);
  }

  private EdgeReply received(SpRealm realm, EdgeRequest request, Result<ReceivedResponse, SamlRefusal> reading) {
    return testLogin(request, reading)
        .flatMap(id -> tests.answer(realm, request, id, reading))
        .orElseGet(() -> ofPerson(realm, request, reading));
  }

  /** The ID of the test login that an answer names; RelayState names it even if the Response cannot be read. */
  private static Optional<String> testLogin(EdgeRequest request, Result<ReceivedResponse, SamlRefusal> reading) {
    Optional<String> answered =
        reading instanceof Result.Accepted(ReceivedResponse response) ? response.response().inResponseTo() : Optional.empty();
    return answered
        .or(() -> (request.isGet() ? request.queryParameters() : request.formParameters()).one("RelayState"))
        .filter(id -> id.startsWith(TestLoginAnswers.ID_PREFIX));
  }

  private EdgeReply ofPerson(SpRealm realm, EdgeRequest request, Result<ReceivedResponse, SamlRefusal> reading) {
    return switch (reading) {
      case Result.Refused(SamlRefusal refusal) ->
          refusals.message(realm, request, "-", "Response", refusal);
      case Result.Accepted(ReceivedResponse response) -> verify(realm, request, response);
    };
  }

  private EdgeReply verify(SpRealm realm, EdgeRequest request, ReceivedResponse response) {
    Optional<String> id = response.response().inResponseTo().filter(named -> pendings.isOpen(realm, named));
    return switch (validator.validate(realm, response, id)) {
      case Result.Refused(SamlRefusal refusal) -> refuse(realm, request, response, id, refusal);
      case Result.Accepted(VerifiedAssertion assertion) ->
          id.map(answered -> completion.answer(realm, request, assertion, answered))
              .orElseGet(() -> completion.unsolicited(realm, request, assertion, response.relayState()));
    };
  }

  /** Failures that the person can do something about have a page of their own. */
  private EdgeReply refuse(
      SpRealm realm, EdgeRequest request, ReceivedResponse response, Optional<String> id, SamlRefusal refusal) {
    String issuer = response.response().issuer();
    return refusal.reason() == Reason.STATUS_NOT_SUCCESS
        ? signOnRefusals.status(
            realm, request, issuer, response.response().status(), again(realm, request, id), refusal)
        : refusals.response(
            realm, request, issuer, refusal,
            response.assertions().stream().findFirst().map(assertion -> summary(response, assertion)));
  }

  /** What a refused assertion said, without the person and the attributes. */
  private static RefusalTrace.Assertion summary(ReceivedResponse response, Assertion assertion) {
    return new RefusalTrace.Assertion(
        assertion.issuer(),
        assertion.id(),
        assertion.issueInstant(),
        assertion.notBefore(),
        assertion.notOnOrAfter(),
        assertion.audienceRestrictions().stream().flatMap(List::stream).toList(),
        response.response().inResponseTo(),
        assertion.authnStatement().flatMap(Assertion.AuthnStatement::authnContextClassRef));
  }
}
