package dev.gatehouse.perf.faults;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.session.Session;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.store.ValueCodec;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Set;

/** A session that is as large in a store as one of the gateway. */
record WaveSession(SessionId id, PersonId person, Instant createdAt, Instant expiresAt) implements Session {

  static final ValueCodec<WaveSession> CODEC = new Codec();

  private static final int BYTES = 400;

  @Override
  public String realm() {
    return "demo";
  }

  @Override
  public Set<String> indexKeys() {
    return Set.of("partner of " + id.value());
  }

  private static final class Codec implements ValueCodec<WaveSession> {
    @Override
    public byte[] encode(WaveSession session) {
      String line =
          String.join(
              " ", session.id.value(), session.person.value(), session.createdAt.toString(), session.expiresAt.toString());
      byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
      return Arrays.copyOf(bytes, Math.max(BYTES, bytes.length));
    }

    @Override
    public WaveSession decode(byte[] bytes) {
      String[] words = new String(bytes, StandardCharsets.UTF_8).split("[ \0]", -1);
      return new WaveSession(
          new SessionId(words[0]), new PersonId(words[1]), Instant.parse(words[2]), Instant.parse(words[3]));
    }
  }
}
