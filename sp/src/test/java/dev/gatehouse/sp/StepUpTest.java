package dev.gatehouse.sp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.AuditEvent.SessionEnded;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.realm.GatewayConfig;
import dev.gatehouse.common.realm.GatewayConfig.Access;
import dev.gatehouse.common.realm.GatewayConfig.RouteConfig;
import dev.gatehouse.common.realm.SessionDemand;
import dev.gatehouse.common.realm.SignOnContract;
import dev.gatehouse.common.realm.TestRoutes;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.Assertion;
import dev.gatehouse.common.saml.message.Assertion.AuthnStatement;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.message.SamlMessage.AuthnRequest;
import dev.gatehouse.common.saml.message.SamlMessage.RequestedAuthnContext;
import dev.gatehouse.common.saml.message.SamlMessage.Response;
import dev.gatehouse.common.saml.message.SamlStatus;
import dev.gatehouse.common.saml.message.SamlWriter;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Routes with requirements for the login, ForceAuthn and IsPassive, and the identity provider's negative answers. */
final class StepUpTest {

  private static final String MFA = "https://refeds.org/profile/mfa";
  private static final String PASSWORD = "urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport";

  private static final SessionDemand HOURLY =
      new SessionDemand(Optional.of(Duration.ofMinutes(5)), Optional.of(Duration.ofHours(1)));

  private final SpWorld world =
      new SpWorld(change -> change.routes(route("vault", List.of(MFA)), route("app", List.of()),
          TestRoutes.withSignOn(route("till", List.of()), SignOnContract.FORM, HOURLY),
          TestRoutes.withSignOn(route("safe", List.of(MFA)), SignOnContract.FORM, HOURLY)));
  private final TestBrowser browser = new TestBrowser(world);

  private static RouteConfig route(String name, List<String> authnContext) {
    return new RouteConfig(
        name, new GatewayConfig.Match(Set.of("app.example"), "/" + name), URI.create("http://127.0.0.1:9000"),
        new Access.Protected(), Map.of(), GatewayConfig.SignOn.form(false, Optional.empty(), authnContext, Optional.empty()));
  }

  private EdgeReply answer(AuthnRequest request, String classRef) {
    return answer(request, classRef, world.time.instant());
  }

  private EdgeReply answer(AuthnRequest request, String classRef, Instant authnInstant) {
    Response response = world.response(request);
    Assertion assertion =
        Change.of(response.assertions().getFirst())
            .authnStatement(
                Optional.of(
                    new AuthnStatement(authnInstant, Optional.of("_s"), Optional.empty(), Optional.of(classRef))))
            .assertion();
    return browser.submitWithCookies(world.posted(Change.with(response, assertion), Optional.empty()));
  }

  private EdgeReply refuse(AuthnRequest request, SamlStatus status) {
    Response response = Change.status(Change.with(world.response(request)), status);
    return browser.submitWithCookies(
        world.posted(response, Optional.empty(), SamlWriter.Signed.RESPONSE, SamlFixtures.idpKey()));
  }

  private AuthnRequest open(String path) {
    return world.authnRequest(browser.follow(browser.open(SpWorld.HOME + path)));
  }

  @Test
  void theRoutesClassesAreAskedForExactly() {
    assertThat(open("/vault/gold").authentication().requestedAuthnContext())
        .contains(new RequestedAuthnContext("exact", List.of(MFA), List.of()));
    assertThat(open("/app").authentication().requestedAuthnContext()).isEmpty();
  }

  @Test
  void aWeakerSessionIsSteppedUp() {
    answer(open("/app"), PASSWORD);
    assertThat(world.session(browser, SpWorld.HOME)).isPresent();

    AuthnRequest stronger = open("/vault/gold");
    EdgeReply landed = answer(stronger, MFA);

    assertThat(SpWorld.location(landed)).hasToString(SpWorld.HOME + "/vault/gold");
    assertThat(world.session(browser, SpWorld.HOME))
        .hasValueSatisfying(session -> assertThat(session.login().authnContextClassRef()).contains(MFA));
    EdgeReply link = browser.open(SpWorld.HOME + "/.gatehouse/login?return=/vault&route=vault");
    assertThat(SpWorld.location(link)).as("enough now").hasToString(SpWorld.HOME + "/vault");
  }

  @Test
  void anAnswerThatIsNotStrongerEndsWithAPageAndNoLoop() {
    AuthnRequest request = open("/vault");

    EdgeReply page = answer(request, PASSWORD);

    assertThat(page.status()).isEqualTo(403);
    assertThat(page.text()).contains("This page needs a stronger sign-on", "Try again");
    assertThat(world.refusals()).containsExactly(Reason.AUTHN_CONTEXT.name());
    assertThat(world.session(browser, SpWorld.HOME)).isEmpty();
  }

  @Test
  void tryingAgainBeginsTheSameLoginInTheSameBrowserOnly() {
    EdgeReply page = answer(open("/vault"), PASSWORD);
    String again = SpWorld.HOME + href(page, "/.gatehouse/login\\?again=");

    AuthnRequest second = world.authnRequest(browser.open(again));

    assertThat(second.authentication().requestedAuthnContext()).contains(new RequestedAuthnContext("exact", List.of(MFA), List.of()));
    assertThat(SpWorld.location(answer(second, MFA))).hasToString(SpWorld.HOME + "/vault");
    assertThat(new TestBrowser(world).open(again).status()).as("another browser").isEqualTo(403);
  }

  private static String href(EdgeReply page, String start) {
    Matcher matcher = Pattern.compile("href=\"(" + start + "[^\"]*)\"").matcher(page.text());
    assertThat(matcher.find()).isTrue();
    return matcher.group(1);
  }

  @ParameterizedTest
  @CsvSource({
    "Responder, NoPassive, You have to sign in yourself",
    "Responder, NoAuthnContext, This page needs a stronger sign-on",
    "Responder, AuthnFailed, You could not be signed in",
    "Responder, RequestDenied, Your sign-on was declined",
    "Requester, RequestDenied, Your sign-on was declined",
    "Requester, InvalidNameIDPolicy, Your sign-on did not work",
    "Responder, UnknownPrincipal, You are not known there",
    "Requester, RequestUnsupported, Your sign-on did not work",
    "Responder, , Your sign-on did not work"
  })
  void eachStatusHasAPageOfItsOwn(String code, String subCode, String title) {
    String prefix = "urn:oasis:names:tc:SAML:2.0:status:";
    SamlStatus status =
        new SamlStatus(
            prefix + code,
            Optional.ofNullable(subCode).map(sub -> prefix + sub),
            Optional.of("<script>alert('from the partner')</script>"));

    EdgeReply page = refuse(open("/app"), status);

    assertThat(page.status()).isEqualTo(403);
    assertThat(page.text()).contains("<h1>" + title + "</h1>", "Example IdP", "Try again").doesNotContain("alert(");
    assertThat(world.refusals()).containsExactly(Reason.STATUS_NOT_SUCCESS.name());
  }

  /** Another provider of the realm cannot send the status, and neither can a sender without a valid signature. */
  @Test
  void aStatusThatNobodyVouchesForIsNotTold() {
    Response response =
        Change.status(
            Change.with(world.response(open("/app"))), SamlStatus.of(SamlStatus.RESPONDER, SamlStatus.AUTHN_FAILED));

    EdgeReply page =
        browser.submitWithCookies(
            world.posted(response, Optional.empty(), SamlWriter.Signed.RESPONSE, SamlFixtures.strangerKey()));

    assertThat(page.text()).doesNotContain("You could not be signed in");
    assertThat(world.refusals()).containsExactly(Reason.SIGNATURE_INVALID.name());
  }

  @Test
  void forceAuthnIsAskedForAndHeldAgainstTheAnswer() {
    answer(open("/app"), PASSWORD);

    AuthnRequest request = open("/.gatehouse/login?return=/app&force=true");
    assertThat(request.authentication().forceAuthn()).as("although there is a session").isTrue();
    world.time.advance(Duration.ofMinutes(2));
    EdgeReply old = answer(request, PASSWORD, world.time.instant().minus(Duration.ofMinutes(4)));
    assertThat(old.status()).isEqualTo(403);
    assertThat(world.refusals()).containsExactly(Reason.AUTHN_NOT_FRESH.name());

    assertThat(SpWorld.location(answer(request, PASSWORD))).hasToString(SpWorld.HOME + "/app");
  }

  @Test
  void whoLoggedInTooLongAgoForTheRouteLogsInAnew() {
    AuthnRequest first = open("/till");
    assertThat(first.authentication().forceAuthn()).as("there is no session that could be too old").isFalse();
    Instant hoursAgo = world.time.instant().minus(Duration.ofHours(2));
    answer(first, PASSWORD, hoursAgo);
    assertThat(world.session(browser, SpWorld.HOME).orElseThrow().login().authenticatedAt())
        .as("single sign-on makes nobody younger")
        .isEqualTo(hoursAgo);

    AuthnRequest fresh = open("/till");
    assertThat(fresh.authentication().forceAuthn()).isTrue();
    String before = world.session(browser, SpWorld.HOME).orElseThrow().id().value();
    assertThat(SpWorld.location(answer(fresh, PASSWORD))).hasToString(SpWorld.HOME + "/till");

    assertThat(world.session(browser, SpWorld.HOME).orElseThrow().id().value()).isNotEqualTo(before);
    EdgeReply link = browser.open(SpWorld.HOME + "/.gatehouse/login?return=/till&route=till");
    assertThat(SpWorld.location(link)).as("fresh now").hasToString(SpWorld.HOME + "/till");
  }

  @Test
  void aStrongerAndFresherLoginIsAskedForInSteps() {
    answer(open("/app"), PASSWORD);
    AuthnRequest stronger = open("/safe");
    assertThat(stronger.authentication().forceAuthn()).isFalse();
    assertThat(stronger.authentication().requestedAuthnContext())
        .contains(new RequestedAuthnContext("exact", List.of(MFA), List.of()));
    answer(stronger, MFA, world.time.instant().minus(Duration.ofHours(2)));

    AuthnRequest fresher = open("/safe");

    assertThat(fresher.authentication().forceAuthn()).isTrue();
    assertThat(fresher.authentication().requestedAuthnContext())
        .contains(new RequestedAuthnContext("exact", List.of(MFA), List.of()));
  }

  /** SECURITY-CASES 40. */
  @Test
  void everyRiseEndsTheSessionBefore() {
    answer(open("/app"), PASSWORD);
    String weak = world.session(browser, SpWorld.HOME).orElseThrow().id().value();
    answer(open("/vault"), MFA);
    String strong = world.session(browser, SpWorld.HOME).orElseThrow().id().value();

    assertThat(strong).isNotEqualTo(weak);
    assertThat(world.audit.events(SessionEnded.class))
        .anySatisfy(
            ended -> {
              assertThat(ended.session()).isEqualTo(weak);
              assertThat(ended.cause()).isEqualTo("replaced");
            });
  }

  @Test
  void aPassiveLoginIsAskedForAndTryingAgainIsNotPassive() {
    AuthnRequest request = open("/.gatehouse/login?return=/app&passive=true");
    assertThat(request.authentication().isPassive()).isTrue();

    EdgeReply page = refuse(request, SamlStatus.of(SamlStatus.RESPONDER, SamlStatus.NO_PASSIVE));

    AuthnRequest again =
        world.authnRequest(browser.open(SpWorld.HOME + href(page, "/.gatehouse/login\\?again=")));
    assertThat(again.authentication().isPassive()).isFalse();
  }
}
