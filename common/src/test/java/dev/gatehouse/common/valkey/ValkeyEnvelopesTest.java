package dev.gatehouse.common.valkey;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.envelope.RecordedEnvelope;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.PlainSession;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Names and values in Valkey that nodes of two versions share during an upgrade, as they were recorded. */
class ValkeyEnvelopesTest {

  private static final byte[] VALUE = "value".getBytes(UTF_8);
  private static final byte[] NO_HEAD = new byte[0];

  private final Names names = new Names("deployment", RecordedEnvelope.key("valkey"), RecordedEnvelope.random(), new UnreadRecords(InstantSource.system()));

  private static void kept(String name, byte[] written, Function<byte[], ?> read, Object content) throws IOException {
    new RecordedEnvelope("valkey-" + name).isKept(written, read, content);
  }

  @Test
  void aSealedValueIsFormatThenNonceThenCiphertext() throws IOException {
    byte[] head = {1, 2, 3};
    kept("value", names.seal("s:store", "name", head, VALUE), bytes -> text(names.open("s:store", "name", bytes, head.length).orElseThrow()), "value");
  }

  /** A name that another version calculates otherwise is a value that it does not find: a session that ended, a code that counts twice. */
  @Test
  void namesAreHashedAlike() throws IOException {
    SessionNames where = new SessionNames(names, "idp");
    SessionId id = new SessionToken("A".repeat(43)).id();
    SessionNames.Place place = where.of(id);
    List<String> all =
        List.of(
            id.value(), HexFormat.of().formatHex(place.member()), text(place.key()), text(where.idleOf(place.member())),
            text(where.realm("office")), HexFormat.of().formatHex(where.hash("person:alice")), text(where.expiries()),
            names.hash("u:codes", "code"), names.hash("w:work", "group people"), names.keyText("installation"));
    new RecordedEnvelope("valkey-names").isKept(String.join("\n", all), text -> text, String.join("\n", all));
  }

  @Test
  void aSessionIsVersionThenExpiryThenTheSealedCompressedValue() throws IOException {
    SessionNames where = new SessionNames(names, "idp");
    SessionSeal<PlainSession> seal = new SessionSeal<>(names, where, PlainSession.CODEC);
    Instant end = TestTime.START.plus(Duration.ofHours(1));
    PlainSession session =
        new PlainSession(new SessionToken("A".repeat(43)).id(), "office", new PersonId("alice"), TestTime.START, end, Set.of("app:1"), 3);
    SessionNames.Place place = where.of(session.id());
    SessionSeal.Sealed<PlainSession> sealed = seal.sealed(place, 7, session);
    byte[] value = sealed.value();
    Function<byte[], Object> opened = bytes -> seal.opened(place.memberText(), new SessionSeal.Raw(bytes, null)).orElseThrow();
    // Compressed bytes may differ with the library that compresses; what is before them does not.
    new RecordedEnvelope("valkey-session").isRead(value, opened, sealed.stored());
    kept("session-head", Arrays.copyOf(value, 2 * Long.BYTES + 1), HexFormat.of()::formatHex, HexFormat.of().formatHex(value, 0, 17));
    PlainSession later = session.until(end.plusSeconds(60));
    kept(
        "session-idle-end", seal.sealedIdleEnd(place, 7, later),
        bytes -> seal.opened(place.memberText(), new SessionSeal.Raw(value, bytes)).orElseThrow().session().expiresAt(), later.expiresAt());
  }

  @Test
  void aValueForOneUseIsAMarkThenVersionThenExpiry() throws IOException {
    byte[] sealed = names.seal("u:codes", "name", ValkeySingleUseStore.head(7, TestTime.START), VALUE);
    kept(
        "single-use", sealed,
        bytes ->
            List.of(
                ValkeySingleUseStore.isTaken(bytes), ByteBuffer.wrap(bytes).getLong(1), ValkeySingleUseStore.expiry(bytes),
                text(names.open("u:codes", "name", bytes, ValkeySingleUseStore.HEAD).orElseThrow())),
        List.of(false, 7L, TestTime.START, "value"));
  }

  @Test
  void workIsItsKeyThenItsGroupThenItsValue() throws IOException {
    byte[] sealed = names.seal("w:work", "member", NO_HEAD, new ValkeyDueStore.Piece("key", "group", VALUE).packed());
    kept(
        "work", sealed,
        bytes -> {
          ValkeyDueStore.Piece piece = ValkeyDueStore.Piece.of(names.open("w:work", "member", bytes, 0).orElseThrow());
          return List.of(piece.key(), piece.group(), text(piece.value()));
        },
        List.of("key", "group", "value"));
  }

  @Test
  void aReplayMarkIsItsExpiryThenItsSealedDigest() throws IOException {
    byte[] sealed = names.seal(ValkeyReplayCache.STORE, "name", Names.number(TestTime.START.toEpochMilli()), VALUE);
    kept(
        "replay-mark", sealed, bytes -> text(names.open(ValkeyReplayCache.STORE, "name", bytes, Long.BYTES).orElseThrow()), "value");
  }

  private static String text(byte[] bytes) {
    return new String(bytes, UTF_8);
  }
}
