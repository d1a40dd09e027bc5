package dev.gatehouse.common.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.RecordingAuditLog;
import dev.gatehouse.common.db.MemoryMailOutbox;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.directory.Directory;
import dev.gatehouse.common.directory.DirectoryUnavailable;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.directory.TestCertificate;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.mail.PersonNotices.Link;
import dev.gatehouse.common.mail.TestMailServer.Received;
import dev.gatehouse.common.node.SmtpConfig;
import dev.gatehouse.common.node.SmtpConfig.Account;
import dev.gatehouse.common.node.SmtpConfig.Security;
import dev.gatehouse.common.realm.DirectoryConfig;
import dev.gatehouse.common.realm.FixedRealms;
import dev.gatehouse.common.realm.PersonMailConfig;
import dev.gatehouse.common.realm.PersonMailConfig.Notice;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Secret;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.throttle.Turn;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Mail from a notice to a real SMTP server. */
final class MailDeliveryTest {

  private static final AuditEvent.Context CONTEXT = new AuditEvent.Context("demo", "192.0.2.7", Optional.empty());

  private final TestTime time = new TestTime();
  private final SealingKey sealing = SealingKey.inMemory(new SecureRandom());
  private final MemoryMailOutbox outbox = new MemoryMailOutbox();
  private final MailQueue queue = new MailQueue(outbox, sealing, time, new SecureRandom());
  private final RecordingAuditLog audit = new RecordingAuditLog();
  private final Map<PersonId, Person> people = new HashMap<>();
  private boolean directoryDown;
  private final FixedRealms realms = new FixedRealms(realm(Map.of()));
  private final MailNotices notices = new MailNotices(realms, queue);
  private final Person alice = person("alice", "alice@example.com", "en");
  private Optional<TestMailServer> running = Optional.empty();


  @AfterEach
  void stop() {
    running.ifPresent(TestMailServer::close);
  }

  private static Realm realm(Map<String, String> texts) {
    DirectoryConfig plain = TestRealms.directory("localhost", 389);
    return TestRealms.change(TestRealms.demo())
        .directory(
            new DirectoryConfig(
                plain.servers(), plain.security(), plain.trust(), plain.bindDn(), plain.bindPassword(), plain.people(),
                plain.groups(), plain.pool(),
                Optional.of(
                    new PersonMailConfig(
                        "mail", "en", Set.of(Notice.NEW_DEVICE, Notice.PASSWORD_CHANGED, Notice.SESSIONS_ENDED), texts))))
        .realm();
  }

  private Person person(String name, String address, String language) {
    Person person =
        new Person(
            new PersonId(name + "-id"), name, "uid=" + name, Map.of("mail", List.of(address), "preferredLanguage", List.of(language)),
            List.of(), Set.of());
    people.put(person.id(), person);
    return person;
  }

  /** Only looks people up: the rest of a directory is of no use here. */
  private Directories directories() {
    Directory directory =
        (Directory)
            Proxy.newProxyInstance(
                Directory.class.getClassLoader(), new Class<?>[] {Directory.class},
                (self, method, arguments) -> {
                  if (directoryDown) {
                    throw new DirectoryUnavailable("the test took it down");
                  }
                  return Optional.ofNullable(people.get(arguments[0]));
                });
    return realm -> directory;
  }

  private TestMailServer server() {
    TestMailServer server = TestMailServer.plain();
    running = Optional.of(server);
    return server;
  }

  private MailDelivery delivery(int port) {
    return delivery(smtp(port, Security.NONE, List.of(), Optional.empty()));
  }

  private MailDelivery delivery(SmtpConfig smtp) {
    return new MailDelivery(
        outbox, queue, new MailComposer(realms, directories(), smtp), new SmtpMailServer(smtp, time), audit, time);
  }

  private static SmtpConfig smtp(int port, Security security, List<X509Certificate> ca, Optional<Account> account) {
    return new SmtpConfig(
        "localhost", port, security, ca, account, "no-reply@example.com", List.of("ops@example.com", "root@example.com"));
  }

  private void changePassword(String person) {
    notices.accept(new AuditEvent.PasswordChanged(CONTEXT, person + "-id", person));
  }

  @Test
  void aNoticeArrivesByStartTlsWithAnAccount() throws Exception {
    TestCertificate certificate = TestCertificate.forHost("localhost");
    try (TestMailServer server = TestMailServer.startTls(certificate)) {
      changePassword("alice");
      Account account = new Account("gatehouse", new Secret("demo"));
      delivery(smtp(server.port(), Security.START_TLS, List.of(certificate.certificate()), Optional.of(account))).run(Turn.ALONE);
      Received mail = server.received().getFirst();
      assertThat(mail.to()).containsExactly("alice@example.com");
      assertThat(mail.from()).isEqualTo("no-reply@example.com");
      assertThat(mail.header("Subject")).isEqualTo("Your password at Gatehouse demo was changed");
      assertThat(mail.header("From")).isEqualTo("Gatehouse demo <no-reply@example.com>");
      assertThat(mail.header("Auto-Submitted")).isEqualTo("auto-generated");
      assertThat(mail.header("Message-ID")).matches("<[0-9a-f-]{36}@example.com>");
      assertThat(mail.body()).contains("Hello alice,", "192.0.2.7", "1 January 2026, 12:00 UTC", TestRealms.IDP_ENTITY + "/account");
      assertThat(outbox.size()).isZero();
    }
  }

  @Test
  void aNodeWhoseLeaseHasEndedSendsNoFurtherMail() {
    MailDelivery delivery = delivery(server().port());
    changePassword("alice");
    changePassword("alice");
    AtomicInteger asked = new AtomicInteger();
    delivery.run(writes -> asked.incrementAndGet() <= 2 && Turn.ALONE.write(writes));
    assertThat(outbox.size()).isEqualTo(1);
    delivery.run(Turn.ALONE);
    assertThat(outbox.size()).isZero();
  }

  @Test
  void aServerThatNeverAnswersHoldsUpNobody() throws Exception {
    try (ServerSocket hanging = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      hanging.setSoTimeout(20_000);
      changePassword("alice");
      Thread sender = Thread.ofVirtual().start(() -> delivery(hanging.getLocalPort()).run(Turn.ALONE));
      try (Socket taken = hanging.accept()) {
        for (int i = 0; i < 100; i++) {
          changePassword("alice");
        }
        assertThat(outbox.size()).isEqualTo(101);
        assertThat(taken.isConnected() && sender.isAlive()).as("the first one is still being sent").isTrue();
      }
      assertThat(sender.join(Duration.ofSeconds(20))).isTrue();
      assertThat(outbox.size()).as("nothing is lost").isEqualTo(101);
    }
  }

  @Test
  void aNoticeArrivesBySmtps() throws Exception {
    TestCertificate certificate = TestCertificate.forHost("localhost");
    try (TestMailServer server = TestMailServer.smtps(certificate)) {
      changePassword("alice");
      delivery(smtp(server.port(), Security.SMTPS, List.of(certificate.certificate()), Optional.empty())).run(Turn.ALONE);
      assertThat(server.received()).hasSize(1);
    }
  }

  @Test
  void nothingIsSentToAServerThatIsNotTheRightOne() throws Exception {
    changePassword("alice");
    TestMailServer withoutTls = server();
    delivery(smtp(withoutTls.port(), Security.START_TLS, List.of(), Optional.empty())).run(Turn.ALONE);
    assertThat(withoutTls.received()).isEmpty();
    for (String host : List.of("other.example", "localhost")) {
      TestCertificate certificate = TestCertificate.forHost(host);
      List<X509Certificate> trusted = host.equals("localhost") ? List.of() : List.of(certificate.certificate());
      try (TestMailServer server = TestMailServer.startTls(certificate)) {
        Account account = new Account("gatehouse", new Secret("demo"));
        delivery(smtp(server.port(), Security.START_TLS, trusted, Optional.of(account))).run(Turn.ALONE);
        assertThat(server.received()).as(host).isEmpty();
      }
    }
    assertThat(outbox.size()).as("waits").isEqualTo(1);
  }

  @Test
  void aServerThatIsDownIsTriedAgainWithPauses() {
    changePassword("alice");
    TestMailServer gone = TestMailServer.plain();
    int port = gone.port();
    gone.close();
    MailDelivery delivery = delivery(port);
    delivery.run(Turn.ALONE);
    assertThat(outbox.due(time.instant(), 10).getFirst().tries()).as("not the mail's fault").isZero();
    TestMailServer server = server();
    MailDelivery other = delivery(server.port());
    other.run(Turn.ALONE);
    assertThat(server.received()).hasSize(1);
  }

  @Test
  void aTemporaryRefusalIsTriedAgainLaterAndAPermanentOneIsNot() {
    TestMailServer server = server();
    MailDelivery delivery = delivery(server.port());
    server.refuse(451);
    changePassword("alice");
    delivery.run(Turn.ALONE);
    delivery.run(Turn.ALONE);
    assertThat(outbox.due(time.instant().plusSeconds(30), 10).getFirst().tries()).isEqualTo(1);
    time.advance(Duration.ofSeconds(30));
    server.refuse(550);
    delivery.run(Turn.ALONE);
    assertThat(outbox.size()).isZero();
    assertThat(audit.events(AuditEvent.MailGivenUp.class))
        .containsExactly(
            new AuditEvent.MailGivenUp(
                new AuditEvent.Context("demo", "-", Optional.empty()), "alice-id", "passwordChanged", "SMTP 550"));
    server.refuse(0);
    changePassword("alice");
    delivery.run(Turn.ALONE);
    assertThat(server.received()).as("others go on").hasSize(1);
  }

  @Test
  void mailThatCameTooLateIsGivenUp() {
    TestMailServer server = server();
    Realm realm = realms.find("demo").orElseThrow();
    notices.passwordReset(realm, alice, new Link("https://id.example/reset?token=t", Duration.ofMinutes(20)), "192.0.2.7", "en");
    directoryDown = true;
    delivery(server.port()).run(Turn.ALONE);
    assertThat(outbox.size()).as("the directory may come back").isEqualTo(1);
    directoryDown = false;
    time.advance(Duration.ofMinutes(20));
    delivery(server.port()).run(Turn.ALONE);
    assertThat(server.received()).isEmpty();
    assertThat(audit.events(AuditEvent.MailGivenUp.class)).extracting(AuditEvent.MailGivenUp::reason).containsExactly("TOO_LATE");
  }

  @Test
  void nothingInADirectoryAddsARecipientOrAHeader() {
    TestMailServer server = server();
    person("eve\r\nBcc: all@example.com\u202e", "eve@example.com", "de");
    people.put(new PersonId("eve-id"), people.remove(new PersonId("eve\r\nBcc: all@example.com\u202e-id")));
    realms.set(realm(Map.of("passwordChanged.de", "Subject: Für {person}\n\nText {person}\n{link}\n")));
    changePassword("eve");
    for (String address :
        List.of(
            "eve@example.com, all@example.com", "eve@example.com\r\nBcc: all@example.com", "<eve@example.com>", "Eve <eve@example.com>",
            "eve@example.com>\r\nDATA", "eve", "\"a b\"@example.com", "é@example.com", "")) {
      person("mallory", address, "en");
      changePassword("mallory");
      delivery(server.port()).run(Turn.ALONE);
    }
    assertThat(server.received()).hasSize(1);
    Received mail = server.received().getFirst();
    assertThat(mail.to()).containsExactly("eve@example.com");
    assertThat(mail.header("Bcc")).isEmpty();
    assertThat(mail.header("Subject")).startsWith("=?UTF-8?");
    assertThat(mail.text()).doesNotContain("\r\nBcc:");
    assertThat(audit.events(AuditEvent.MailGivenUp.class)).hasSize(9).allMatch(event -> event.reason().equals("NO_ADDRESS"));
  }

  @Test
  void linksAreSealedWhileTheyWaitAndTheTextIsInThePersonsLanguage() {
    TestMailServer server = server();
    Link link = new Link("https://id.example/reset?token=secret-token", Duration.ofMinutes(20));
    assertThat(link.toString()).doesNotContain("secret-token");
    notices.passwordReset(realms.find("demo").orElseThrow(), alice, link, "192.0.2.7", "de");
    byte[] stored = outbox.due(time.instant(), 1).getFirst().sealedDetails();
    assertThat(new String(stored, java.nio.charset.StandardCharsets.ISO_8859_1)).doesNotContain("secret-token");
    delivery(server.port()).run(Turn.ALONE);
    assertThat(server.received().getFirst().header("Content-Type")).contains("UTF-8");
    assertThat(server.received().getFirst().body()).contains("Guten Tag alice", "token=");
  }

  @Test
  void whatIsNotWantedIsNotSent() {
    TestMailServer server = server();
    notices.accept(new AuditEvent.SecondFactorChanged(CONTEXT, "alice-id", "alice", "enrolled"));
    assertThat(outbox.size()).as("not among the realm's notices").isZero();
    changePassword("alice");
    people.clear();
    delivery(server.port()).run(Turn.ALONE);
    assertThat(outbox.size()).as("the person is gone").isZero();
    notices.accept(new AuditEvent.PasswordChanged(new AuditEvent.Context("other", "-", Optional.empty()), "alice-id", "alice"));
    assertThat(outbox.size()).isZero();
    assertThat(server.received()).isEmpty();
    assertThat(audit.events()).isEmpty();
  }

  @Test
  void sessionsThatEndTogetherAndBrowsersWithoutCookiesAreToldOnce() {
    TestMailServer server = server();
    for (String session : List.of("1", "2", "3")) {
      notices.accept(new AuditEvent.SessionEnded(CONTEXT, "idp", session, "alice-id", "administrator"));
    }
    notices.accept(new AuditEvent.SessionEnded(CONTEXT, "idp", "4", "alice-id", "logout"));
    Realm realm = realms.find("demo").orElseThrow();
    notices.newDevice(realm, alice, "192.0.2.7", "?");
    notices.newDevice(realm, alice, "192.0.2.7", "?");
    notices.newDevice(realm, alice, "192.0.2.7", "Firefox, Linux");
    delivery(server.port()).run(Turn.ALONE);
    assertThat(server.received()).extracting(mail -> mail.header("Subject"))
        .containsExactly(
            "An administrator ended your sessions at Gatehouse demo", "New sign-in to your account at Gatehouse demo",
            "New sign-in to your account at Gatehouse demo");
    assertThat(server.received().getFirst().body()).as("not the administrator's address").doesNotContain("192.0.2.7");
  }

  @Test
  void everyTextOfOursHasItsValues() {
    for (Notice notice : Notice.values()) {
      for (String language : PersonMailConfig.LANGUAGES) {
        Map<String, String> values = new HashMap<>();
        for (String name : List.of("realm", "person", "time", "address", "device", "account", "link", "minutes")) {
          if (notice.knows(name)) {
            values.put(name, "[" + name + "]");
          }
        }
        MailText text = MailText.of(realm(Map.of()).directory().orElseThrow().mail().orElseThrow(), notice, language, values);
        assertThat(text.subject()).isNotBlank().doesNotContain("{");
        assertThat(text.text()).as(notice + " " + language).doesNotContain("{").contains("[realm]", "[person]");
      }
    }
    assertThat(MailText.of("diskFull", Map.of("list", "- data {time}", "count", "1", "time", "now")).text())
        .as("values are not looked at again")
        .contains("- data {time}")
        .doesNotContain("{list}");
  }
}
