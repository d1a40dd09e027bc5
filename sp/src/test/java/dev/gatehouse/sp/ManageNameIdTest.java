package dev.gatehouse.sp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditEvent.FederationChanged;
import dev.gatehouse.common.audit.AuditEvent.MessageRefused;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.federation.AccountLink;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.nameid.ManageNameIdSender.Browser;
import dev.gatehouse.common.nameid.ManageNameIdSender.Sending;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.message.Assertion;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.saml.message.Received;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.message.SamlMessage;
import dev.gatehouse.common.saml.message.SamlMessage.ManageNameIdRequest;
import dev.gatehouse.common.saml.message.SamlMessage.ManageNameIdRequest.Change;
import dev.gatehouse.common.saml.message.SamlMessage.ManageNameIdResponse;
import dev.gatehouse.common.saml.message.SamlMessage.Response;
import dev.gatehouse.common.saml.message.SamlStatus;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.Endpoint;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.IdpRole;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Name Identifier Management at the service provider, requested by identity providers and by the person. */
final class ManageNameIdTest {

  private static final String FRONT = SpWorld.HOME + "/.gatehouse/saml/nameid";
  private static final String SOAP = FRONT + "/soap";
  private static final String IDP_NAMES = SamlFixtures.IDP + "/saml/nameid";
  private static final PersonId ALICE = new PersonId("alice-uuid");

  private final SpWorld world = new SpWorld();
  private final TestBrowser browser = new TestBrowser(world);
  private final NameId name =
      new NameId("p-alice", NameId.PERSISTENT, Optional.of(SamlFixtures.IDP), Optional.of(SamlFixtures.SP));
  private int requests;

  @BeforeEach
  void link() {
    world.identityProvider(metadata(Binding.REDIRECT));
    world.links.link("demo", SamlFixtures.IDP, "p-alice", ALICE);
  }

  private static PartnerMetadata metadata(Binding binding) {
    PartnerMetadata plain = SamlFixtures.idpMetadata();
    IdpRole role = plain.idp().orElseThrow();
    List<Endpoint> names = List.of(new Endpoint(binding, IDP_NAMES, Optional.empty()));
    return new PartnerMetadata(
        plain.entityId(), plain.validUntil(), plain.cacheDuration(), plain.displayName(),
        Optional.of(
            new IdpRole(
                role.signing(), role.encryption(), role.wantAuthnRequestsSigned(), role.singleSignOn(),
                new PartnerMetadata.SsoDescriptor(role.sso().singleLogout(), role.sso().artifactResolution(), names, role.sso().nameIdFormats()),
                role.scopes(), role.ui())),
        plain.sp());
  }

  private ManageNameIdRequest request(String destination, NameId nameId, Change change) {
    return new ManageNameIdRequest(
        "_manage" + ++requests, world.time.instant(), SamlFixtures.IDP, Optional.of(destination), nameId, change);
  }

  private EdgeReply soap(ManageNameIdRequest request) {
    return soap(request, SamlFixtures.idpKey());
  }

  private EdgeReply soap(ManageNameIdRequest request, SigningKey key) {
    return world.serve(SamlFixtures.soap(SOAP, world.writer.soap(request, key)));
  }

  private ManageNameIdResponse answer(EdgeReply reply) {
    return accepted(
        world.reader.manageNameIdResponse(reply.body(), SamlFixtures.partners(SamlFixtures.spMetadata())));
  }

  private static <M extends SamlMessage> M accepted(Result<Received<M>, SamlRefusal> reading) {
    return switch (reading) {
      case Result.Accepted(Received<M> received) -> received.message();
      case Result.Refused(SamlRefusal refusal) -> throw new AssertionError(refusal);
    };
  }

  private String refusal() {
    return world.audit.events(MessageRefused.class).getLast().reason();
  }

  private String changed() {
    return world.audit.events(FederationChanged.class).stream()
        .map(event -> event.change() + " by " + event.by())
        .toList()
        .toString();
  }

  private Optional<PersonId> account(String nameId) {
    return world.links.find("demo", SamlFixtures.IDP, nameId).map(AccountLink::account);
  }

  /** alice logs in with the persistent NameID. */
  private void logIn() {
    Response model = world.response(world.authnRequest(browser.open(SpWorld.HOME + "/")));
    Assertion about = dev.gatehouse.sp.Change.of(model.assertions().getFirst()).subject(name).assertion();
    Response response =
        new Response(
            model.id(), model.issueInstant(), model.issuer(), model.destination(), model.inResponseTo(),
            model.status(), List.of(about));
    browser.follow(browser.submitFromElsewhere(world.posted(response, Optional.empty())));
    assertThat(world.session(browser, SpWorld.HOME)).isPresent();
  }

  @Test
  void aTerminatedNameLosesItsLinkAndItsSessions() {
    logIn();
    ManageNameIdRequest request = request(SOAP, name, new Change.Terminate());
    ManageNameIdResponse answer = answer(soap(request));
    assertThat(answer.status()).isEqualTo(SamlStatus.success());
    assertThat(answer.inResponseTo()).contains(request.id());
    assertThat(account("p-alice")).isEmpty();
    assertThat(world.session(browser, SpWorld.HOME)).isEmpty();
    assertThat(world.audit.events(AuditEvent.SessionEnded.class).getLast().cause()).isEqualTo("unlinked");
    assertThat(changed()).isEqualTo("[terminated by partner]");
  }

  @Test
  void aNewNameLeadsToTheSameAccount() {
    EdgeReply reply =
        world.serve(
            SamlFixtures.followed(
                world.writer.redirect(
                    request(FRONT, name, new Change.NewId("p-new")), FRONT, Optional.of("s"), SamlFixtures.idpKey())));
    assertThat(reply.headers().first("Location").orElse("")).startsWith(IDP_NAMES + "?SAMLResponse=");
    assertThat(account("p-new")).contains(ALICE);
    assertThat(account("p-alice")).isEmpty();
    assertThat(changed()).isEqualTo("[changed by partner]");
  }

  @Test
  void aNewNameThatIsSomebodyElsesIsDenied() {
    world.links.link("demo", SamlFixtures.IDP, "p-bob", new PersonId("bob-uuid"));
    ManageNameIdResponse answer = answer(soap(request(SOAP, name, new Change.NewId("p-bob"))));
    assertThat(answer.status().subCode()).contains(SamlStatus.REQUEST_DENIED);
    assertThat(refusal()).isEqualTo("NEW_ID_UNUSABLE");
    assertThat(account("p-bob")).contains(new PersonId("bob-uuid"));
    assertThat(account("p-alice")).contains(ALICE);
  }

  @Test
  void whatNobodyHasIsUnknown() {
    NameId other = NameId.of("p-nobody", NameId.PERSISTENT);
    for (Change change : List.of(new Change.Terminate(), new Change.NewId("x"))) {
      assertThat(answer(soap(request(SOAP, other, change))).status().subCode())
          .contains(SamlStatus.UNKNOWN_PRINCIPAL);
      assertThat(refusal()).isEqualTo("NAME_ID_UNKNOWN");
    }
  }

  @Test
  void unsignedForgedMisdirectedAndForeignRequestsChangeNothing() {
    EdgeReply fault = soap(request(SOAP, name, new Change.Terminate()), SamlFixtures.strangerKey());
    assertThat(fault.status()).isEqualTo(500);
    assertThat(refusal()).isEqualTo("SIGNATURE_INVALID");
    soap(request(FRONT, name, new Change.Terminate()));
    assertThat(refusal()).isEqualTo("DESTINATION");
    soap(
        request(
            SOAP,
            new NameId("p-alice", NameId.PERSISTENT, Optional.of("https://other.example"), Optional.empty()),
            new Change.Terminate()));
    assertThat(refusal()).isEqualTo("NAME_ID_FOREIGN");
    ManageNameIdRequest twice = request(SOAP, NameId.of("p-x", NameId.PERSISTENT), new Change.Terminate());
    soap(twice);
    soap(twice);
    assertThat(refusal()).isEqualTo("REPLAYED");
    assertThat(account("p-alice")).contains(ALICE);
    assertThat(world.audit.events(FederationChanged.class)).isEmpty();
  }

  @Test
  void onlyHomeHasTheEndpoints() {
    assertThat(world.serve(SamlFixtures.soap(SpWorld.OTHER + "/.gatehouse/saml/nameid/soap", new byte[0])).status())
        .isEqualTo(404);
    assertThat(browser.open(SOAP).status()).isEqualTo(405);
  }

  @Test
  void aDisconnectedAccountIsToldToTheIdentityProvider() {
    logIn();
    AccountLink link = world.links.find("demo", SamlFixtures.IDP, "p-alice").orElseThrow();
    EdgeRequest form = SamlFixtures.soap(SpWorld.HOME + "/.gatehouse/account", new byte[0]);
    Sending sending =
        world.linkChanges.disconnect(
            AuditEvent.Context.of("demo", form.client()), world.realm(), world.realm().sp().orElseThrow(), link,
            "person", Optional.of(new Browser(form, SpWorld.HOME + "/.gatehouse/account?done=")));
    assertThat(account("p-alice")).isEmpty();
    assertThat(world.session(browser, SpWorld.HOME)).isEmpty();
    EdgeReply page = ((Sending.ByBrowser) sending).reply();
    String location = page.headers().first("Refresh").orElseThrow().substring("0;url=".length());
    ManageNameIdRequest sent =
        accepted(
                world.reader.manageNameIdRequest(
                    SamlFixtures.followed(URI.create(location)), SamlFixtures.partners(SamlFixtures.spMetadata())));
    assertThat(sent.nameId()).isEqualTo(name);
    assertThat(sent.change()).isEqualTo(new Change.Terminate());
    ManageNameIdResponse answer =
        new ManageNameIdResponse(
            "_answer", world.time.instant(), SamlFixtures.IDP, Optional.of(FRONT), Optional.of(sent.id()),
            SamlStatus.success());
    EdgeReply back =
        world.serve(
            SamlFixtures.followed(world.writer.redirect(answer, FRONT, Optional.empty(), SamlFixtures.idpKey())));
    assertThat(back.headers().first("Location")).contains(SpWorld.HOME + "/.gatehouse/account?done=delivered");
  }
}
