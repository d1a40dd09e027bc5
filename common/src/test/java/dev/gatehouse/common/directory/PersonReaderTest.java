package dev.gatehouse.common.directory;

import static org.assertj.core.api.Assertions.assertThat;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import dev.gatehouse.common.directory.PersonReader.Found;
import dev.gatehouse.common.directory.PersonReader.Kept;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How old what was read is. */
final class PersonReaderTest {

  private static final long DELAY_MILLIS = 200;

  @Test
  void anAnswerThatComesLateIsAsOldAsItsSearch() throws LDAPException {
    try (EmbeddedDirectory server = EmbeddedDirectory.start(TestPeople.LDIF);
        LDAPConnection connection = new LDAPConnection("localhost", server.port())) {
      server.server().setProcessingDelayMillis(DELAY_MILLIS);
      Found found = new PersonReader(TestPeople.config(server.port())).byName(connection, "bob");
      long now = System.nanoTime();
      assertThat(found).isInstanceOfSatisfying(
          Found.One.class, one -> assertThat(now - one.read().readAt()).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(DELAY_MILLIS)));
    }
  }

  @Test
  void whatWasReadLaterStays() {
    Kept<String> early = new Kept<>("early", Long.MAX_VALUE - 1);
    Kept<String> late = new Kept<>("late", Long.MIN_VALUE + 1);
    assertThat(Kept.later(early, late)).as("the clock may pass its end").isSameAs(late);
    assertThat(Kept.later(late, early)).isSameAs(late);
  }
}
