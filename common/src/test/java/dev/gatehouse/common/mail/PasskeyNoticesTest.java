package dev.gatehouse.common.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.db.MemoryMailOutbox;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.realm.DirectoryConfig;
import dev.gatehouse.common.realm.FixedRealms;
import dev.gatehouse.common.realm.PersonMailConfig;
import dev.gatehouse.common.realm.PersonMailConfig.Notice;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A person is told of every passkey that comes or goes, whoever did it. */
class PasskeyNoticesTest {

  private final MemoryMailOutbox outbox = new MemoryMailOutbox();
  private final MailQueue queue = new MailQueue(outbox, SealingKey.inMemory(new SecureRandom()), new TestTime(), new SecureRandom());
  private final MailNotices notices = new MailNotices(new FixedRealms(realm()), queue);

  private static Realm realm() {
    PersonMailConfig mail =
        new PersonMailConfig("mail", "en", Set.of(Notice.SECOND_FACTOR_ADDED, Notice.SECOND_FACTOR_REMOVED), Map.of());
    DirectoryConfig plain = TestRealms.directory("localhost", 389);
    return TestRealms.change(TestRealms.demo())
        .directory(
            new DirectoryConfig(
                plain.servers(), plain.security(), plain.trust(), plain.bindDn(), plain.bindPassword(), plain.people(),
                plain.groups(), plain.pool(), Optional.of(mail)))
        .realm();
  }

  @ParameterizedTest
  @CsvSource({
    "enrolled, secondFactorAdded", "confirmed, secondFactorAdded", "removed, secondFactorRemoved", "reset, secondFactorRemoved",
    "backed-up, ", "copied, "
  })
  void aChangeIsToldByItsNotice(String change, @Nullable String notice) {
    notices.accept(new AuditEvent.PasskeyChanged(new AuditEvent.Context("demo", "192.0.2.7", Optional.empty()), "alice-id", change));
    assertThat(outbox.size()).isEqualTo(notice == null ? 0 : 1);
    if (notice != null) {
      assertThat(queue.hasFor("demo", new PersonId("alice-id"), notice)).isTrue();
    }
  }

  @Test
  void newEmergencyCodesOfTokensAreToldToo() {
    AuditEvent.Context context = new AuditEvent.Context("demo", "192.0.2.7", Optional.empty());
    notices.accept(new AuditEvent.TokenChanged(context, "-", "alice-id", "emergency-codes"));
    assertThat(queue.hasFor("demo", new PersonId("alice-id"), "secondFactorAdded")).isTrue();
  }
}
