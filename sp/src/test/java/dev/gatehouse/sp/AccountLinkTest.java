package dev.gatehouse.sp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditEvent.FederationChanged;
import dev.gatehouse.common.audit.AuditEvent.LoginRefused;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.federation.AccountLink;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.realm.ContractsConfig;
import dev.gatehouse.common.realm.PartnerConfig;
import dev.gatehouse.common.realm.PartnerConfig.AsIdentityProvider;
import dev.gatehouse.common.realm.PartnerConfig.Link;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.SamlAttribute;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.Assertion;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.saml.message.Received;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.message.SamlMessage.AuthnRequest;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutRequest;
import dev.gatehouse.common.saml.message.SamlMessage.ManageNameIdRequest;
import dev.gatehouse.common.saml.message.SamlMessage.Response;
import dev.gatehouse.common.saml.message.SamlStatus;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.Endpoint;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.IdpRole;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Persistent federation: the account that an assertion opens. */
final class AccountLinkTest {

  private static final Link BY_MAIL = new Link.ByAttribute("urn:oid:0.9.2342.19200300.100.1.3", "mail");

  private static SpWorld world(Link link, UnaryOperator<TestRealms.Change> more) {
    PartnerConfig plain = TestRealms.partner(SamlFixtures.IDP, SamlFixtures.IDP, Map.of());
    AsIdentityProvider rules = AsIdentityProvider.PLAIN;
    return new SpWorld(
        change ->
            more.apply(
                change.partner(
                    new PartnerConfig(
                        plain.entityId(), plain.displayName(), plain.metadata(), plain.release(), plain.nameId(),
                        plain.logout(), plain.asServiceProvider(),
                        new AsIdentityProvider(
                            rules.request(), rules.response(), rules.requestNameId(), link, List.of("one.example"),
                            rules.accept()), false))));
  }

  private static SpWorld world(Link link) {
    return world(link, UnaryOperator.identity());
  }

  private static Response about(SpWorld world, AuthnRequest request, String nameId, String mail) {
    return about(world, Optional.of(request.id()), new NameId(nameId, NameId.PERSISTENT, Optional.empty(), Optional.empty()), mail);
  }

  private static Response about(SpWorld world, Optional<String> request, NameId nameId, String mail) {
    Response response = world.response(request, "remote");
    Assertion assertion =
        Change.of(response.assertions().getFirst())
            .subject(nameId)
            .attributes(
                List.of(
                    SamlAttribute.basic("uid", List.of("root")),
                    SamlAttribute.basic("roles", List.of("administrator")),
                    SamlAttribute.basic("mail", List.of(mail))))
            .assertion();
    return Change.with(response, assertion);
  }

  private static EdgeReply login(SpWorld world, TestBrowser browser, String nameId, String mail) {
    AuthnRequest request = world.authnRequest(browser.open(SpWorld.HOME + "/here"));
    return browser.submitWithCookies(world.posted(about(world, request, nameId, mail), Optional.empty()));
  }

  private static List<String> changes(SpWorld world) {
    return world.audit.events(FederationChanged.class).stream()
        .map(event -> event.person() + " " + event.change() + " by " + event.by())
        .toList();
  }

  // --- by attribute ---

  @Test
  void theFirstLoginLinksThePersonWithTheValueAndTheDirectorySaysWhoTheyAre() {
    SpWorld world = world(BY_MAIL);
    TestBrowser browser = new TestBrowser(world);

    EdgeReply landed = login(world, browser, "opaque-1", "carol@one.example");

    assertThat(SpWorld.location(landed)).hasToString(SpWorld.HOME + "/here");
    assertThat(world.session(browser, SpWorld.HOME))
        .hasValueSatisfying(
            session -> {
              assertThat(session.person()).isEqualTo(TestPeople.CAROL.id());
              assertThat(session.account().user()).isEqualTo("carol");
              assertThat(session.account().roles()).as("not what the provider says").containsExactly("librarian");
              assertThat(session.account().groups()).containsExactly("staff");
              assertThat(session.account().attributes()).isEqualTo(TestPeople.CAROL.attributes());
            });
    assertThat(changes(world)).containsExactly("uuid-carol linked by attribute");
  }

  @Test
  void theLinkHoldsWhateverTheAttributeSaysLater() {
    SpWorld world = world(BY_MAIL);
    login(world, new TestBrowser(world), "opaque-1", "carol@one.example");
    TestBrowser browser = new TestBrowser(world);

    login(world, browser, "opaque-1", "dave@one.example");

    assertThat(world.session(browser, SpWorld.HOME).orElseThrow().account().user()).isEqualTo("carol");
    assertThat(changes(world)).hasSize(1);
  }

  @Test
  void anAccountHasOneNameOfAProvider() {
    SpWorld world = world(BY_MAIL);
    login(world, new TestBrowser(world), "opaque-1", "carol@one.example");

    EdgeReply second = login(world, new TestBrowser(world), "opaque-2", "carol@one.example");

    refused(world, second, Reason.LINK_ACCOUNT_TAKEN, "That account is connected already");
  }

  private static void refused(SpWorld world, EdgeReply page, Reason reason, String title) {
    assertThat(page.status()).isEqualTo(403);
    assertThat(page.text()).contains("<h1>" + title + "</h1>");
    assertThat(world.refusals()).containsExactly(reason.name());
  }

  @ParameterizedTest
  @ValueSource(strings = {"nobody@one.example", "both@one.example", ""})
  void whoeverIsNotExactlyOnePersonIsRefused(String mail) {
    SpWorld world = world(BY_MAIL);
    for (Person person : List.of(TestPeople.CAROL, TestPeople.DAVE)) {
      String own = person.attributes().getOrDefault("mail", List.of()).getFirst();
      world.people.put(
          new Person(
              person.id(), person.name(), person.dn(), Map.of("mail", List.of(own, "both@one.example")),
              person.groups(), person.roles()));
    }

    EdgeReply page = login(world, new TestBrowser(world), "opaque-1", mail);

    refused(world, page, Reason.LINK_NO_MATCH, "There is no account for you here");
    assertThat(world.links.page("demo", SamlFixtures.IDP, "", 10)).isEmpty();
  }

  /** Otherwise one provider could name another provider's people. */
  @Test
  void aValueInADomainThatTheProviderDoesNotOwnNeverLinks() {
    SpWorld world = world(BY_MAIL);
    world.people.put(
        new Person(
            new PersonId("uuid-boss"), "boss", "uid=boss", Map.of("mail", List.of("boss@other.example")), List.of(),
            Set.of()));

    EdgeReply page = login(world, new TestBrowser(world), "opaque-1", "boss@other.example");

    refused(world, page, Reason.LINK_NO_MATCH, "There is no account for you here");
  }

  /** Whoever publishes the provider's metadata, often the provider itself, could otherwise name everybody. */
  @Test
  void aDomainThatOnlyTheMetadataListNeverLinksWhereDomainsAreConfigured() {
    SpWorld world = world(BY_MAIL);
    PartnerMetadata plain = SamlFixtures.idpMetadata();
    IdpRole role = plain.idp().orElseThrow();
    world.identityProvider(
        new PartnerMetadata(
            plain.entityId(), plain.validUntil(), plain.cacheDuration(), plain.displayName(),
            Optional.of(
                new IdpRole(
                    role.signing(), role.encryption(), false, role.singleSignOn(), role.sso(), List.of("other.example"), role.ui())),
            Optional.empty()));
    world.people.put(
        new Person(
            new PersonId("uuid-boss"), "boss", "uid=boss", Map.of("mail", List.of("boss@other.example")), List.of(),
            Set.of()));

    EdgeReply page = login(world, new TestBrowser(world), "opaque-1", "boss@other.example");

    refused(world, page, Reason.LINK_NO_MATCH, "There is no account for you here");
  }

  /** SECURITY-CASES 71: some values have no {@code @} for us, but have one for the directory. */
  @ParameterizedTest
  @ValueSource(
      strings = {"boss\uff20other.example", "boss\ufe6bother.example", "boss@other\u00ad.example", "ｂoss@one.example", "boss@one\u3002example"})
  void aValueThatStringPreparationChangesNeverLinks(String mail) {
    SpWorld world = world(BY_MAIL);
    world.people.put(
        new Person(new PersonId("uuid-boss"), "boss", "uid=boss", Map.of("mail", List.of(mail)), List.of(), Set.of()));

    EdgeReply page = login(world, new TestBrowser(world), "opaque-1", mail);

    refused(world, page, Reason.LINK_NO_MATCH, "There is no account for you here");
  }

  @Test
  void onlyAPersistentNameOfThisProviderForUsCanBeLinked() {
    for (NameId name :
        List.of(
            NameId.of("opaque-1", "urn:oasis:names:tc:SAML:2.0:nameid-format:transient"),
            NameId.of("carol@one.example", "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress"),
            new NameId("opaque-1", NameId.PERSISTENT, Optional.of("https://other.example"), Optional.empty()),
            new NameId("opaque-1", NameId.PERSISTENT, Optional.empty(), Optional.of("https://other.example/sp")),
            NameId.of("x".repeat(257), NameId.PERSISTENT))) {
      SpWorld world = world(BY_MAIL);
      TestBrowser browser = new TestBrowser(world);
      AuthnRequest request = world.authnRequest(browser.open(SpWorld.HOME + "/here"));
      assertThat(request.nameIdPolicy().orElseThrow().format()).contains(NameId.PERSISTENT);

      EdgeReply page =
          browser.submitWithCookies(
              world.posted(about(world, Optional.of(request.id()), name, "carol@one.example"), Optional.empty()));

      refused(world, page, Reason.LINK_NAME_ID, "Your sign-on did not work");
    }
  }

  @Test
  void aLinkedPersonWhoLeftIsRefusedAndTheLinkStays() {
    SpWorld world = world(BY_MAIL);
    login(world, new TestBrowser(world), "opaque-1", "carol@one.example");
    world.people.remove(TestPeople.CAROL);

    EdgeReply page = login(world, new TestBrowser(world), "opaque-1", "carol@one.example");

    refused(world, page, Reason.LINK_ACCOUNT_GONE, "Your account here does not exist any more");
    assertThat(world.links.find("demo", SamlFixtures.IDP, "opaque-1")).isPresent();
  }

  /** The provider says who somebody is; whether the account here may be used is for the directory to say. */
  @Test
  void aDisabledAccountIsNotOpenedByItsLink() {
    SpWorld world = world(BY_MAIL);
    login(world, new TestBrowser(world), "opaque-1", "carol@one.example");
    world.people.disable(TestPeople.CAROL);
    TestBrowser browser = new TestBrowser(world);

    EdgeReply page = login(world, browser, "opaque-1", "carol@one.example");

    refused(world, page, Reason.LINK_ACCOUNT_GONE, "Your account here does not exist any more");
    assertThat(world.session(browser, SpWorld.HOME)).isEmpty();
    assertThat(world.links.find("demo", SamlFixtures.IDP, "opaque-1")).as("it may be enabled again").isPresent();
  }

  @Test
  void aDisabledAccountIsNotLinked() {
    SpWorld world = world(BY_MAIL);
    world.people.disable(TestPeople.CAROL);

    EdgeReply page = login(world, new TestBrowser(world), "opaque-1", "carol@one.example");

    refused(world, page, Reason.LINK_NO_MATCH, "There is no account for you here");
    assertThat(world.links.page("demo", SamlFixtures.IDP, "", 10)).isEmpty();
  }

  @Test
  void whileTheDirectoryIsDownNothingIsConsumed() {
    SpWorld world = world(BY_MAIL);
    TestBrowser browser = new TestBrowser(world);
    AuthnRequest request = world.authnRequest(browser.open(SpWorld.HOME + "/here"));
    EdgeRequest post = world.posted(about(world, request, "opaque-1", "carol@one.example"), Optional.empty());
    world.people.breakDown();

    EdgeReply page = browser.submitWithCookies(post);

    assertThat(page.status()).isEqualTo(503);
    assertThat(page.text()).contains("Signing in does not work at the moment");
    assertThat(world.refusals()).isEmpty();
    assertThat(world.opened()).isZero();
  }

  @Test
  void withoutADirectoryTheValueIsTheLocalNameAndTheProviderGivesTheRoles() {
    SpWorld world = world(new Link.ByAttribute("mail", "mail"), TestRealms.Change::withoutDirectory);
    TestBrowser browser = new TestBrowser(world);

    login(world, browser, "opaque-1", "carol@one.example");

    assertThat(world.session(browser, SpWorld.HOME))
        .hasValueSatisfying(
            session -> {
              assertThat(session.account().user()).isEqualTo("carol@one.example");
              assertThat(session.person()).isEqualTo(new PersonId("carol@one.example"));
              assertThat(session.account().roles()).containsExactly("administrator");
            });
  }

  // --- by login ---

  private static Map<String, String> form(EdgeReply page, String username, String password) {
    Map<String, String> fields = new HashMap<>();
    Matcher matcher =
        Pattern.compile("<input type=\"hidden\" name=\"([^\"]+)\" value=\"([^\"]*)\">").matcher(page.text());
    while (matcher.find()) {
      fields.put(matcher.group(1), matcher.group(2));
    }
    fields.put("username", username);
    fields.put("password", password);
    return fields;
  }

  private static EdgeReply prove(TestBrowser browser, EdgeReply page, String username, String password) {
    return browser.post(SpWorld.HOME + "/.gatehouse/link", form(page, username, password));
  }

  private static EdgeReply linkPage(SpWorld world, TestBrowser browser) {
    EdgeReply page = browser.follow(login(world, browser, "opaque-1", "someone@one.example"));
    assertThat(page.status()).isEqualTo(200);
    return page;
  }

  @Test
  void whoeverIsUnknownProvesTheAccountOnceAndNeverAgain() {
    SpWorld world = world(new Link.ByLogin());
    TestBrowser browser = new TestBrowser(world);
    EdgeReply page = linkPage(world, browser);
    assertThat(page.text()).contains("Connect your account", "Example IdP", "someone@one.example");
    assertThat(world.session(browser, SpWorld.HOME)).isEmpty();

    EdgeReply redirect = prove(browser, page, "Carol", "local");

    assertThat(redirect.headers().first("Refresh")).contains("0;url=" + SpWorld.HOME + "/here");
    assertThat(world.session(browser, SpWorld.HOME).orElseThrow().account().user()).isEqualTo("carol");
    assertThat(changes(world)).containsExactly("uuid-carol linked by login");
    TestBrowser later = new TestBrowser(world);
    login(world, later, "opaque-1", "someone@one.example");
    assertThat(world.session(later, SpWorld.HOME).orElseThrow().person()).isEqualTo(TestPeople.CAROL.id());
  }

  @Test
  void theFormIsForTheBrowserThatBeganAndOnce() {
    SpWorld world = world(new Link.ByLogin());
    TestBrowser browser = new TestBrowser(world);
    EdgeReply begun = login(world, browser, "opaque-1", "someone@one.example");
    String url = SpWorld.HOME + SpWorld.location(begun);
    EdgeReply page = browser.open(url);
    TestBrowser other = new TestBrowser(world);
    other.open(SpWorld.HOME + "/");

    assertThat(other.open(url).status()).isEqualTo(403);
    assertThat(prove(other, page, "carol", "local").status()).isEqualTo(403);
    assertThat(world.people.binds()).as("no password was even tried").isZero();
    prove(browser, page, "carol", "local");
    assertThat(prove(browser, page, "dave", "local").status()).isEqualTo(403);
    assertThat(world.links.page("demo", SamlFixtures.IDP, "", 10))
        .extracting(AccountLink::account)
        .containsExactly(TestPeople.CAROL.id());
  }

  @Test
  void anotherSiteCannotSendTheForm() {
    SpWorld world = world(new Link.ByLogin());
    TestBrowser browser = new TestBrowser(world);
    EdgeReply page = linkPage(world, browser);
    Map<String, String> fields = form(page, "carol", "local");

    assertThat(browser.postFromElsewhere(SpWorld.HOME + "/.gatehouse/link", fields).status()).isEqualTo(403);
    fields.put("csrf", "x".repeat(43));
    assertThat(browser.post(SpWorld.HOME + "/.gatehouse/link", fields).status()).isEqualTo(403);
    assertThat(world.people.binds()).isZero();
  }

  @Test
  void wrongPasswordsAreAllAlikeAndCounted() {
    SpWorld world = world(new Link.ByLogin());
    TestBrowser browser = new TestBrowser(world);
    EdgeReply page = linkPage(world, browser);

    for (int i = 0; i < 10; i++) {
      EdgeReply wrong = prove(browser, page, "carol", "guess" + i);
      assertThat(wrong.status()).isEqualTo(403);
      assertThat(wrong.text()).contains("User name or password is not right.");
    }
    EdgeReply throttled = prove(browser, page, "carol", "local");

    assertThat(throttled.status()).isEqualTo(429);
    assertThat(throttled.headers().first("Retry-After")).isPresent();
    assertThat(prove(browser, page, "unknown", "x").text()).contains("User name or password is not right.");
    assertThat(prove(browser, page, "dave", "").text()).contains("User name or password is not right.");
    assertThat(world.people.binds()).isEqualTo(11);
    assertThat(world.audit.events(LoginRefused.class))
        .extracting(LoginRefused::reason)
        .contains("WRONG_PASSWORD", "THROTTLED_ACCOUNT", "NOT_TRIED");
    assertThat(world.opened()).isZero();
  }

  @Test
  void aPasswordThatMustBeChangedProvesNothing() {
    SpWorld world = world(new Link.ByLogin());
    TestBrowser browser = new TestBrowser(world);
    world.people.expirePasswords();

    EdgeReply page = prove(browser, linkPage(world, browser), "carol", "local");

    assertThat(page.status()).isEqualTo(403);
    assertThat(page.text()).contains("must be changed");
    assertThat(changes(world)).isEmpty();
  }

  /** A stolen password must not become a permanent bypass of the second factor. */
  @Test
  void anAccountWithASecondFactorIsNotLinkedByItsPasswordAlone() {
    SpWorld world = world(new Link.ByLogin());
    world.people.protect(TestPeople.CAROL);
    TestBrowser browser = new TestBrowser(world);
    EdgeReply page = linkPage(world, browser);

    assertThat(prove(browser, page, "carol", "local").text()).contains("protected by a second factor");
    assertThat(changes(world)).isEmpty();
    prove(browser, page, "dave", "local");
    assertThat(changes(world)).containsExactly("uuid-dave linked by login");
  }

  @Test
  void norIsAnyWhereEverybodyNeedsOne() {
    SpWorld world =
        world(
            new Link.ByLogin(),
            change ->
                change.contracts(
                    new ContractsConfig(
                        false, ContractsConfig.SecondFactor.REQUIRED, ContractsConfig.FORM_ALONE.totp(),
                        Optional.empty())));
    TestBrowser browser = new TestBrowser(world);

    assertThat(prove(browser, linkPage(world, browser), "carol", "local").text()).contains("second factor");
  }

  @Test
  void anAccountThatIsConnectedToAnotherNameStaysSo() {
    SpWorld world = world(new Link.ByLogin());
    world.links.link("demo", SamlFixtures.IDP, "opaque-9", TestPeople.CAROL.id());
    TestBrowser browser = new TestBrowser(world);

    EdgeReply page = prove(browser, linkPage(world, browser), "carol", "local");

    refused(world, page, Reason.LINK_ACCOUNT_TAKEN, "That account is connected already");
    assertThat(world.session(browser, SpWorld.HOME)).isEmpty();
  }

  /**
   * Otherwise an attacker who makes a browser bring the attacker's assertion would get the account of the person who
   * proves it there.
   */
  @Test
  void anUnsolicitedLoginIsNeverLinkedButBeginsAnew() {
    SpWorld world = world(new Link.ByLogin(), change -> change.spUnsolicited(true));
    TestBrowser browser = new TestBrowser(world);
    NameId name = NameId.of("attacker", NameId.PERSISTENT);
    EdgeRequest post =
        world.posted(about(world, Optional.empty(), name, "x@one.example"), Optional.of("/wanted"));

    EdgeReply reply = browser.follow(browser.submitFromElsewhere(post));

    AuthnRequest request = world.authnRequest(reply);
    assertThat(request.destination()).contains(SamlFixtures.IDP_SSO);
    assertThat(changes(world)).isEmpty();
    assertThat(world.audit.events(AuditEvent.AssertionAccepted.class)).isEmpty();
  }

  @Test
  void theFormWaitsAQuarterOfAnHour() {
    SpWorld world = world(new Link.ByLogin());
    TestBrowser browser = new TestBrowser(world);
    EdgeReply page = linkPage(world, browser);
    world.time.advance(Duration.ofMinutes(15));

    assertThat(prove(browser, page, "carol", "local").status()).isEqualTo(403);
    assertThat(changes(world)).isEmpty();
  }

  @Test
  void case10AConsumedLoginOpensNoSecondForm() {
    SpWorld world = world(new Link.ByLogin());
    TestBrowser browser = new TestBrowser(world);
    AuthnRequest request = world.authnRequest(browser.open(SpWorld.HOME + "/here"));
    EdgeRequest post = world.posted(about(world, request, "opaque-1", "x@one.example"), Optional.empty());
    browser.submitWithCookies(post);

    assertThat(browser.submitWithCookies(post).status()).isEqualTo(403);
    assertThat(world.refusals()).containsExactly(Reason.REPLAYED.name());
  }

  // --- the person's own page ---

  private static final String ACCOUNT = SpWorld.HOME + "/.gatehouse/account";

  private static Map<String, String> removal(EdgeReply page) {
    Matcher matcher = Pattern.compile("name=\"csrf\" value=\"([^\"]+)\"").matcher(page.text());
    assertThat(matcher.find()).isTrue();
    return new HashMap<>(Map.of("csrf", matcher.group(1), "idp", SamlFixtures.IDP));
  }

  @Test
  void thePersonSeesTheLinkAndRemovesItAndWhatStoodOnIt() {
    SpWorld world = world(BY_MAIL);
    TestBrowser browser = new TestBrowser(world);
    TestBrowser elsewhere = new TestBrowser(world);
    login(world, browser, "opaque-1", "carol@one.example");
    login(world, elsewhere, "opaque-1", "carol@one.example");
    EdgeReply page = browser.open(ACCOUNT);
    assertThat(page.text()).contains("carol", "Example IdP", "removing it signs you out");

    EdgeReply removed = browser.follow(browser.post(ACCOUNT, removal(page)));

    assertThat(removed.text())
        .contains("The connection has been removed", "you are signed out here", "The other side could not be notified");
    assertThat(world.links.find("demo", SamlFixtures.IDP, "opaque-1")).isEmpty();
    assertThat(world.session(browser, SpWorld.HOME)).isEmpty();
    assertThat(world.session(elsewhere, SpWorld.HOME)).as("opened by the same link").isEmpty();
    assertThat(changes(world)).containsExactly("uuid-carol linked by attribute", "uuid-carol terminated by person");
  }

  /** An identity provider may give its person another name while sessions are open (SAML Core 3.6.3, NewID). */
  @Test
  void sessionsThatBeganWithAFormerNameEndWithTheLinkThatThePersonRemoves() {
    SpWorld world = world(BY_MAIL);
    TestBrowser browser = new TestBrowser(world);
    login(world, browser, "opaque-1", "carol@one.example");
    world.links.change("demo", SamlFixtures.IDP, "opaque-1", "opaque-2");

    browser.post(ACCOUNT, removal(browser.open(ACCOUNT)));

    assertThat(world.links.page("demo", SamlFixtures.IDP, "", 10)).isEmpty();
    assertThat(world.session(browser, SpWorld.HOME)).isEmpty();
  }

  @Test
  void sessionsThatBeganWithAFormerNameEndWithTheLinkThatTheProviderEnds() {
    SpWorld world = world(BY_MAIL);
    TestBrowser carol = new TestBrowser(world);
    TestBrowser dave = new TestBrowser(world);
    login(world, carol, "opaque-1", "carol@one.example");
    login(world, dave, "opaque-9", "dave@one.example");
    world.links.change("demo", SamlFixtures.IDP, "opaque-1", "opaque-2");
    String soap = SpWorld.HOME + "/.gatehouse/saml/nameid/soap";
    ManageNameIdRequest end =
        new ManageNameIdRequest(
            "_end", world.time.instant(), SamlFixtures.IDP, Optional.of(soap), NameId.of("opaque-2", NameId.PERSISTENT),
            new ManageNameIdRequest.Change.Terminate());

    world.serve(SamlFixtures.soap(soap, world.writer.soap(end, SamlFixtures.idpKey())));

    assertThat(world.links.find("demo", SamlFixtures.IDP, "opaque-2")).isEmpty();
    assertThat(world.session(carol, SpWorld.HOME)).isEmpty();
    assertThat(world.session(dave, SpWorld.HOME)).as("of another person").isPresent();
  }

  /** The identity provider gives the person another name (SAML Core 3.6.3, NewID). */
  private static void rename(SpWorld world, String from, String to) {
    String soap = SpWorld.HOME + "/.gatehouse/saml/nameid/soap";
    ManageNameIdRequest request =
        new ManageNameIdRequest(
            "_rename", world.time.instant(), SamlFixtures.IDP, Optional.of(soap), NameId.of(from, NameId.PERSISTENT),
            new ManageNameIdRequest.Change.NewId(to));
    world.serve(SamlFixtures.soap(soap, world.writer.soap(request, SamlFixtures.idpKey())));
    assertThat(world.links.find("demo", SamlFixtures.IDP, to)).map(AccountLink::account).contains(TestPeople.CAROL.id());
  }

  private static void logOut(SpWorld world, String nameId, List<String> sessionIndexes) {
    String soap = SamlFixtures.SP_SLO + "/soap";
    Instant now = world.time.instant();
    LogoutRequest request =
        new LogoutRequest(
            "_logout-" + nameId + String.join("-", sessionIndexes), now, SamlFixtures.IDP, Optional.of(soap),
            Optional.of(now.plusSeconds(60)), NameId.of(nameId, NameId.PERSISTENT), sessionIndexes);
    EdgeReply reply = world.serve(SamlFixtures.soap(soap, world.writer.soap(request, SamlFixtures.idpKey())));
    assertThat(reply.text()).contains(SamlStatus.SUCCESS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"opaque-1", "opaque-2"})
  void aLogoutUnderTheFormerOrTheNewNameEndsASessionThatBeganWithTheFormerOne(String name) {
    SpWorld world = world(BY_MAIL);
    TestBrowser carol = new TestBrowser(world);
    TestBrowser dave = new TestBrowser(world);
    login(world, carol, "opaque-1", "carol@one.example");
    login(world, dave, "opaque-9", "dave@one.example");
    rename(world, "opaque-1", "opaque-2");

    logOut(world, name, List.of("_another-session"));
    assertThat(world.session(carol, SpWorld.HOME)).as("another SessionIndex").isPresent();
    logOut(world, name, List.of("_session-1"));

    assertThat(world.session(carol, SpWorld.HOME)).isEmpty();
    assertThat(world.session(dave, SpWorld.HOME)).as("of another person").isPresent();
  }

  @Test
  void aLogoutUnderTheNewNameEndsTheSessionsThatBeganWithEither() {
    SpWorld world = world(BY_MAIL);
    TestBrowser before = new TestBrowser(world);
    TestBrowser after = new TestBrowser(world);
    login(world, before, "opaque-1", "carol@one.example");
    rename(world, "opaque-1", "opaque-2");
    login(world, after, "opaque-2", "carol@one.example");
    assertThat(world.session(after, SpWorld.HOME)).isPresent();

    logOut(world, "opaque-2", List.of());

    assertThat(world.session(before, SpWorld.HOME)).isEmpty();
    assertThat(world.session(after, SpWorld.HOME)).isEmpty();
  }

  @Test
  void theProviderIsAskedToEndTheSessionOfTheNameThatItGaveLater() {
    SpWorld world = world(BY_MAIL);
    TestBrowser browser = new TestBrowser(world);
    login(world, browser, "opaque-1", "carol@one.example");
    rename(world, "opaque-1", "opaque-2");

    LogoutRequest asked = world.logoutRequest(browser.get(SpWorld.HOME + "/.gatehouse/logout", "same-origin"));

    assertThat(asked.nameId()).isEqualTo(NameId.of("opaque-2", NameId.PERSISTENT));
    assertThat(asked.sessionIndexes()).containsExactly("_session-1");
  }

  /** Each browser has a copy that waits for an hour, while one mark stands for both. */
  @Test
  void ofTwoCopiesOfAnAssertionOneOpensASessionHoweverSlowTheDirectoryIs() {
    SpWorld world = world(BY_MAIL, change -> change.spUnsolicited(true));
    world.links.link("demo", SamlFixtures.IDP, "opaque-1", TestPeople.CAROL.id());
    NameId name = NameId.of("opaque-1", NameId.PERSISTENT);
    EdgeRequest post = world.posted(about(world, Optional.empty(), name, "carol@one.example"), Optional.empty());
    TestBrowser first = new TestBrowser(world);
    TestBrowser second = new TestBrowser(world);
    EdgeReply early = first.submitFromElsewhere(post);
    // It is valid for five minutes, and one more for clocks that differ.
    world.time.advance(Duration.ofMinutes(6).minusSeconds(1));
    EdgeReply late = second.submitFromElsewhere(post);
    first.follow(early);
    assertThat(world.opened()).isEqualTo(1);
    world.time.advance(Duration.ofHours(1).minusSeconds(40));
    // Asked twice: before the copy is taken, ten seconds before its end, and afterwards.
    world.people.meanwhile(() -> world.time.advance(Duration.ofSeconds(30)));

    EdgeReply refused = second.follow(late);

    assertThat(refused.status()).isEqualTo(403);
    assertThat(world.refusals()).containsExactly(Reason.REPLAYED.name());
    assertThat(world.opened()).isEqualTo(1);
  }

  @Test
  void theProviderIsToldByTheBrowserThatTheNameIsUsedNoMore() {
    SpWorld world = world(BY_MAIL);
    PartnerMetadata plain = SamlFixtures.idpMetadata();
    IdpRole role = plain.idp().orElseThrow();
    String location = SamlFixtures.IDP + "/saml/nameid";
    world.identityProvider(
        new PartnerMetadata(
            plain.entityId(), plain.validUntil(), plain.cacheDuration(), plain.displayName(),
            Optional.of(
                new IdpRole(
                    role.signing(), role.encryption(), false, role.singleSignOn(),
                    new PartnerMetadata.SsoDescriptor(role.sso().singleLogout(), List.of(),
                        List.of(new Endpoint(Binding.REDIRECT, location, Optional.empty())), List.of()),
                    List.of(), role.ui())),
            Optional.empty()));
    TestBrowser browser = new TestBrowser(world);
    login(world, browser, "opaque-1", "carol@one.example");

    EdgeReply page = browser.post(ACCOUNT, removal(browser.open(ACCOUNT)));

    URI redirect = URI.create(page.headers().first("Refresh").orElseThrow().substring("0;url=".length()));
    assertThat(redirect.toString()).startsWith(location + "?");
    Result<Received<ManageNameIdRequest>, SamlRefusal> reading =
        world.reader.manageNameIdRequest(
            SamlFixtures.followed(redirect), SamlFixtures.partners(SamlFixtures.spMetadata(true)));
    if (!(reading instanceof Result.Accepted(var received))) {
      throw new AssertionError(reading);
    }
    assertThat(received.message().nameId().value()).isEqualTo("opaque-1");
    assertThat(received.message().change()).isInstanceOf(ManageNameIdRequest.Change.Terminate.class);
    assertThat(world.links.find("demo", SamlFixtures.IDP, "opaque-1")).isEmpty();
  }

  @Test
  void anotherSiteRemovesNothingAndNobodyRemovesAnothersLink() {
    SpWorld world = world(BY_MAIL);
    TestBrowser carol = new TestBrowser(world);
    TestBrowser dave = new TestBrowser(world);
    login(world, carol, "opaque-1", "carol@one.example");
    login(world, dave, "opaque-2", "dave@one.example");
    Map<String, String> form = removal(carol.open(ACCOUNT));

    assertThat(carol.postFromElsewhere(ACCOUNT, form).status()).as("without cookies").isEqualTo(303);
    assertThat(dave.post(ACCOUNT, form).status()).as("a form of another session").isEqualTo(403);
    form.put("csrf", "x");
    assertThat(carol.post(ACCOUNT, form).status()).isEqualTo(403);

    assertThat(world.links.page("demo", SamlFixtures.IDP, "", 10)).hasSize(2);
    dave.post(ACCOUNT, removal(dave.open(ACCOUNT)));
    assertThat(world.links.find("demo", SamlFixtures.IDP, "opaque-1")).as("carol's").isPresent();
  }

  @Test
  void whoIsNotLoggedInIsSentToLogInAndComesBack() {
    SpWorld world = world(BY_MAIL);
    TestBrowser browser = new TestBrowser(world);

    AuthnRequest request = world.authnRequest(browser.follow(browser.open(ACCOUNT)));
    EdgeReply landed =
        browser.submitWithCookies(
            world.posted(about(world, request, "opaque-1", "carol@one.example"), Optional.empty()));

    assertThat(SpWorld.location(landed)).hasToString(ACCOUNT);
  }
}
