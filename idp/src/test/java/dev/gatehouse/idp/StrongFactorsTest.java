package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import com.eatthepath.otp.TimeBasedOneTimePasswordGenerator;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.otp.Token;
import dev.gatehouse.common.passkey.Passkeys;
import dev.gatehouse.common.passkey.Passkeys.Passkey;
import dev.gatehouse.common.realm.ContractsConfig;
import dev.gatehouse.common.realm.ContractsConfig.PasswordReset;
import dev.gatehouse.common.realm.ContractsConfig.SecondFactor;
import dev.gatehouse.common.realm.DirectoryConfig;
import dev.gatehouse.common.realm.PersonMailConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.realm.TokenLogin;
import dev.gatehouse.idp.otp.TokenSeeds;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Passkeys, tokens and apps of one person: none of them is added past another, and no mailbox replaces them. */
final class StrongFactorsTest {

  private static final String TOKENS = "/realms/demo/account/tokens";
  private static final String APPS = "/realms/demo/account/second-factor";
  private static final String FORGOTTEN = "/realms/demo/password/forgotten";
  private static final String RESET = "/realms/demo/password/reset";
  private static final byte[] SEED = "12345678901234567890".getBytes(StandardCharsets.US_ASCII);
  private static final PersonId ALICE = FakeDirectory.ALICE.id();

  private final Idp idp = new Idp(realm());
  private final TestBrowser thief = idp.browser();

  private static Realm realm() {
    ContractsConfig contracts =
        new ContractsConfig(
            false, SecondFactor.OPTIONAL, ContractsConfig.FORM_ALONE.totp(), Optional.empty(),
            Optional.of(new PasswordReset(Duration.ofMinutes(20))),
            Optional.of(new ContractsConfig.Passkeys("idp.localhost", false, List.of())), Optional.of(TokenLogin.USUAL));
    DirectoryConfig plain = TestRealms.directory("localhost", 389);
    DirectoryConfig directory =
        new DirectoryConfig(
            plain.servers(), plain.security(), plain.trust(), plain.bindDn(), plain.bindPassword(), plain.people(), plain.groups(),
            plain.pool(), Optional.of(new PersonMailConfig("mail", "en", Set.of(), Map.of())));
    return TestRealms.change(TestRealms.demo()).directory(directory).contracts(contracts).realm();
  }

  @AfterEach
  void erase() {
    List<Token> theirs = Idp.TOKENS.of("demo", ALICE);
    Idp.TOKENS.erase("demo", ALICE);
    theirs.forEach(token -> Idp.TOKENS.remove("demo", token.serial()));
  }

  private void passkey(String level) {
    Passkey passkey =
        new Passkey(
            "AAAA", ALICE, new byte[0], new Passkeys.Model("00000000-0000-0000-0000-000000000000", List.of(), false),
            new Passkeys.State(0, false, Optional.empty()), "Phone", level, idp.time.instant());
    assertThat(idp.passkeys.add("demo", passkey, "s1", 20)).isTrue();
  }

  private void token() {
    idp.context.getBean(TokenSeeds.class).ensure("demo", "t-1", SEED, ALICE, "2468");
  }

  private void logIn() {
    thief.login(thief.get("/realms/demo/login"), "alice", "demo");
  }

  private EdgeReply add(String page) {
    return thief.post(page, Map.of("action", "add", "csrf", TestBrowser.field(thief.get(page).text(), "csrf")));
  }

  private static String to(EdgeReply reply) {
    return reply.headers().first("Location").orElse("no redirect: " + reply);
  }

  @Test
  void aPasswordSetsUpNoTokenPastAStrongPasskey() {
    logIn();
    passkey("PROTECTED_PASSWORD");
    assertThat(to(add(TOKENS))).as("a passkey that is no stronger than a password").contains("?enrolment=");
    idp.passkeys.setLevel("demo", ALICE, "AAAA", "SECOND_FACTOR");
    assertThat(to(add(TOKENS))).contains("/login?pending=tokens-strong");
  }

  @Test
  void anEnrolmentThatWasBegunByAPasswordIsWorthNothingOnceThereIsAStrongPasskey() {
    logIn();
    String begun = to(add(TOKENS));
    EdgeReply page = thief.get(begun);
    passkey("SECOND_FACTOR");
    Authenticator app = Authenticator.of(page.text());
    Map<String, String> typed =
        Map.of(
            "csrf", TestBrowser.field(page.text(), "csrf"), "code", app.code(idp.time.instant()), "pin", "2580", "again", "2580");
    assertThat(to(thief.post(begun, typed))).doesNotContain("done");
    assertThat(Idp.TOKENS.of("demo", ALICE)).isEmpty();
  }

  @Test
  void aPasswordSetsUpNoAppPastAToken() throws Exception {
    logIn();
    token();
    EdgeReply login = add(APPS);
    assertThat(to(login)).contains("/login?pending=account-strong");
    EdgeReply second = thief.follow(login);
    assertThat(to(second)).as("the session's password is not enough").contains("/login/second?pending=account-strong");
    EdgeReply asked = thief.follow(second);
    assertThat(to(asked)).contains("/login/second/token?pending=account-strong");
    EdgeReply page = thief.follow(asked);
    String passcode =
        "2468" + new TimeBasedOneTimePasswordGenerator().generateOneTimePasswordString(new SecretKeySpec(SEED, "RAW"), idp.time.instant());
    EdgeReply in = thief.post(to(asked), Map.of("csrf", TestBrowser.field(page.text(), "csrf"), "passcode", passcode));
    assertThat(to(in)).as("the owner returns").endsWith(APPS);
    String begun = to(add(APPS));
    assertThat(begun).contains("?enrolment=");
    assertThat(idp.secondFactors.of("demo", ALICE)).isEmpty();
    assertThat(confirm(begun, thief.get(begun)).status()).isEqualTo(200);
    assertThat(idp.secondFactors.of("demo", ALICE)).hasSize(1);
  }

  @Test
  void anAppThatWasBegunByAPasswordIsWorthNothingOnceThereIsAToken() {
    isWorthNothingAfter(this::token);
  }

  @Test
  void anAppThatWasBegunByAPasswordIsWorthNothingOnceThereIsAStrongPasskey() {
    isWorthNothingAfter(() -> passkey("SECOND_FACTOR"));
  }

  @Test
  void anAppThatWasBegunByAPasswordIsAddedBesideAPasskeyThatIsNoStronger() {
    logIn();
    String begun = to(add(APPS));
    EdgeReply page = thief.get(begun);
    passkey("PROTECTED_PASSWORD");
    assertThat(confirm(begun, page).status()).isEqualTo(200);
    assertThat(idp.secondFactors.of("demo", ALICE)).hasSize(1);
  }

  private void isWorthNothingAfter(Runnable change) {
    logIn();
    String begun = to(add(APPS));
    EdgeReply page = thief.get(begun);
    change.run();
    assertThat(to(confirm(begun, page))).endsWith(APPS);
    assertThat(to(thief.get(begun))).as("the page").endsWith(APPS);
    assertThat(idp.secondFactors.of("demo", ALICE)).isEmpty();
    assertThat(idp.audit.events(AuditEvent.SecondFactorChanged.class)).isEmpty();
  }

  private EdgeReply confirm(String begun, EdgeReply page) {
    String code = Authenticator.of(page.text()).code(idp.time.instant());
    return thief.post(begun, Map.of("csrf", TestBrowser.field(page.text(), "csrf"), "code", code, "label", "Phone"));
  }

  @Test
  void aMailboxAloneSetsNoPasswordPastAStrongPasskeyOrAToken() {
    EdgeReply form = openedLink();
    passkey("PROTECTED_PASSWORD");
    assertThat(thief.get(RESET).status()).as("a passkey that is no stronger than a password").isEqualTo(200);
    idp.passkeys.setLevel("demo", ALICE, "AAAA", "SECOND_FACTOR");
    refused(form);
    idp.passkeys.removeAll("demo", ALICE);
    token();
    refused(form);
    assertThat(idp.audit.events(AuditEvent.MessageRefused.class))
        .extracting(AuditEvent.MessageRefused::reason)
        .containsOnly("PASSWORD_RESET_NEEDS_HELP_DESK");
    assertThat(idp.audit.events(AuditEvent.PasswordChanged.class)).isEmpty();
  }

  /** The thief added the passkey with the password that the owner replaces. */
  @Test
  void aNewPasswordRemovesPasskeysThatAPasswordAloneAdded() {
    passkey("PROTECTED_PASSWORD");
    EdgeReply form = openedLink();
    set(form);
    assertThat(idp.passkeys.of("demo", ALICE)).as("by reset").isEmpty();
    assertThat(idp.audit.events(AuditEvent.PasskeyChanged.class)).extracting(AuditEvent.PasskeyChanged::change).containsExactly("removed");

    passkey("PROTECTED_PASSWORD");
    change("n3w-password", "n3wer-password");
    assertThat(idp.passkeys.of("demo", ALICE)).as("by change").isEmpty();

    thief.cookies.clear();
    thief.login(thief.get("/realms/demo/login"), "alice", "n3wer-password");
    passkey("SECOND_FACTOR");
    changeInSession("n3wer-password", "n3west-password");
    assertThat(idp.passkeys.of("demo", ALICE)).as("a strong one stays").hasSize(1);
    assertThat(idp.audit.events(AuditEvent.PasswordChanged.class)).hasSize(3);
  }

  private void set(EdgeReply form) {
    Map<String, String> fields = Map.of("csrf", TestBrowser.field(form.text(), "csrf"), "new", "n3w-password", "again", "n3w-password");
    assertThat(thief.post(RESET, fields).text()).contains("Your password was set");
  }

  private void change(String old, String fresh) {
    thief.login(thief.get("/realms/demo/login"), "alice", old);
    changeInSession(old, fresh);
  }

  private void changeInSession(String old, String fresh) {
    EdgeReply page = thief.get("/realms/demo/password");
    Map<String, String> fields = Map.of("csrf", TestBrowser.field(page.text(), "csrf"), "old", old, "new", fresh, "again", fresh);
    thief.post("/realms/demo/password", fields);
  }

  private EdgeReply openedLink() {
    EdgeReply page = thief.get(FORGOTTEN);
    thief.post(FORGOTTEN, Map.of("username", "alice", "csrf", TestBrowser.field(page.text(), "csrf")));
    URI link = URI.create(idp.notices.links.getLast().url());
    return thief.follow(thief.get(link.getRawPath() + "?" + link.getRawQuery()));
  }

  private void refused(EdgeReply form) {
    EdgeReply shown = thief.get(RESET);
    assertThat(shown.status()).isEqualTo(403);
    assertThat(shown.text()).contains("ask the help desk");
    Map<String, String> fields = Map.of("csrf", TestBrowser.field(form.text(), "csrf"), "new", "n3w-password", "again", "n3w-password");
    assertThat(thief.post(RESET, fields).status()).isEqualTo(403);
  }
}
