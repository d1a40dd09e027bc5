package dev.gatehouse.sp.inspection;

import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.realm.ProviderConfig;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.idtoken.ClaimVerdict;
import dev.gatehouse.sp.idtoken.IdTokenResult;
import dev.gatehouse.sp.inspection.Inspection.Account;
import dev.gatehouse.sp.inspection.Inspection.Check;
import dev.gatehouse.sp.inspection.Inspection.Step;
import dev.gatehouse.sp.inspection.Inspection.Value;
import dev.gatehouse.sp.login.CodeExchange;
import dev.gatehouse.sp.login.LoginRequest;
import dev.gatehouse.sp.login.PendingRequest;
import dev.gatehouse.sp.login.ReturnTarget;
import dev.gatehouse.sp.oidc.InspectedLogin;
import dev.gatehouse.sp.oidc.LoginInspection;
import dev.gatehouse.sp.oidc.OpenIdAnswer;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Applies every rule to the answer of an OpenID provider, by the same classes as a login. */
final class LoginInspector {

  private static final String REFUSED = "PROVIDER_UNKNOWN";

  private final LoginInspection logins;

  LoginInspector(LoginInspection logins) {
    this.logins = logins;
  }

  /** Returns the request of a test login. */
  static PendingRequest request(SpRealm realm, TestLogin login) {
    return request(realm, login.identityProvider(), login.id(), login.startedAt(), login.exchange().orElseThrow());
  }

  private static PendingRequest request(
      SpRealm realm, String provider, String state, Instant startedAt, CodeExchange exchange) {
    LoginRequest toHome = LoginRequest.to(ReturnTarget.parse("/", realm, realm.home()));
    return new PendingRequest(realm.name(), state, provider, toHome, List.of(), startedAt, Optional.of(exchange));
  }

  /** Redeems the code of the answer, and inspects what comes for it. Blocks. */
  TestLogin.Result answer(SpRealm realm, TestLogin login, EdgeRequest request, Instant now) {
    Optional<ProviderConfig> provider = realm.openIdProvider(login.identityProvider());
    if (provider.isEmpty()) {
      return new TestLogin.Result(unknown(), Optional.empty());
    }
    InspectedLogin inspected = logins.inspect(realm, provider.get(), request(realm, login), request, now);
    Optional<Recording> recording = inspected.answer().map(answer -> Recording.of(login, now, answer));
    return new TestLogin.Result(inspection(inspected), recording.map(recorded -> recorded.with(inspect(realm, recorded))));
  }

  /** Inspects a recorded answer as of the time at which it came, with the present configuration and keys. */
  Inspection inspect(SpRealm realm, Recording recording) {
    Optional<ProviderConfig> provider = realm.openIdProvider(recording.identityProvider());
    if (provider.isEmpty()) {
      return unknown();
    }
    OpenIdAnswer answer = recording.openId().orElseThrow();
    PendingRequest request =
        request(realm, recording.identityProvider(), recording.id(), recording.startedAt(), new CodeExchange(answer.nonce(), ""));
    return inspection(logins.replay(realm, provider.get(), request, answer, recording.receivedAt()));
  }

  private static Inspection unknown() {
    Check check = new Check("discovery", Optional.of(REFUSED), Optional.of("it is no OpenID provider of this realm any more"));
    return new Inspection(List.of(check), List.of(), Optional.empty(), List.of());
  }

  private static Inspection inspection(InspectedLogin inspected) {
    return new Inspection(
        inspected.results().stream().map(LoginInspector::check).toList(),
        inspected.claims().stream().map(LoginInspector::value).toList(),
        inspected.account().map(account -> new Account("known", Optional.of(account.user()), Optional.empty())),
        inspected.steps().stream().map(step -> new Step(step.name(), step.facts())).toList());
  }

  private static Check check(IdTokenResult result) {
    return new Check(
        result.name(), result.refusal().map(refusal -> refusal.reason().name()), result.refusal().map(refusal -> refusal.detail()));
  }

  private static Value value(ClaimVerdict verdict) {
    return new Value(
        verdict.claim(), verdict.value(), verdict.dropped().map(reason -> reason.name().toLowerCase(Locale.ROOT)));
  }
}
