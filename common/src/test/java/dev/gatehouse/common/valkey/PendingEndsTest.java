package dev.gatehouse.common.valkey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.StoreUnavailable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PendingEndsTest {

  private static final String STORE = "app";

  @TempDir private Path folder;

  private final Random random = new Random(1);

  private SessionId session() {
    return SessionToken.create(random).id();
  }

  private Path file() {
    return folder.resolve("ends");
  }

  private PendingEnds opened() {
    return new PendingEnds(Optional.of(file()));
  }

  @Test
  void anEndIsOnDiskWhenItIsKeptAndGoneWhenItIsDelivered() throws IOException {
    SessionId first = session();
    SessionId second = session();
    PendingEnds ends = opened();
    assertThat(ends.add(STORE, first)).isTrue();
    assertThat(ends.add(STORE, first)).as("kept before").isFalse();
    assertThat(ends.add(STORE, second)).isTrue();
    assertThat(ends.contains("other", first)).isFalse();
    PendingEnds again = opened();
    assertThat(again.contains(STORE, first)).isTrue();
    assertThat(again.of(STORE)).hasSize(2);
    again.of(STORE).forEach(again::delivered);
    assertThat(again.contains(STORE, first)).isFalse();
    assertThat(file()).isEmptyFile();
    assertThat(opened().of(STORE)).isEmpty();
  }

  /** A person whose logout was refused tries again: that must not find the end that nobody has on disk. */
  @Test
  void anEndThatCouldNotBeWrittenDoesNotCount() throws IOException {
    PendingEnds ends = opened();
    // Nobody writes to a folder, root neither.
    Files.createDirectory(file());
    SessionId session = session();
    for (int attempt = 0; attempt < 2; attempt++) {
      assertThatExceptionOfType(StoreUnavailable.class).isThrownBy(() -> ends.add(STORE, session));
      assertThat(ends.contains(STORE, session)).isFalse();
      assertThat(ends.of(STORE)).isEmpty();
    }
    Files.delete(file());
    assertThat(ends.add(STORE, session)).isTrue();
    assertThat(ends.contains(STORE, session)).isTrue();
    assertThat(opened().contains(STORE, session)).isTrue();
  }

  @Test
  void aLineThatWasCutOffDoesNotCountAndHarmsNoOther() throws IOException {
    SessionId before = session();
    SessionId after = session();
    assertThat(opened().add(STORE, before)).isTrue();
    Files.writeString(file(), "\n" + STORE + " " + session().value().substring(5), StandardOpenOption.APPEND);
    assertThat(opened().add(STORE, after)).isTrue();
    PendingEnds again = opened();
    assertThat(again.of(STORE)).extracting(PendingEnds.End::id).containsExactlyInAnyOrder(before, after);
  }
}
