package dev.gatehouse.common.store;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.session.Session;
import dev.gatehouse.common.session.SessionId;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** A session as plain as the contract allows. @param touches counts updates */
public record PlainSession(
    SessionId id,
    String realm,
    PersonId person,
    Instant createdAt,
    Instant expiresAt,
    Set<String> indexKeys,
    int touches)
    implements Session {

  public static final ValueCodec<PlainSession> CODEC = new Codec();

  PlainSession touched() {
    return new PlainSession(id, realm, person, createdAt, expiresAt, indexKeys, touches + 1);
  }

  public PlainSession until(Instant end) {
    return new PlainSession(id, realm, person, createdAt, end, indexKeys, touches);
  }

  @Override
  public Optional<PlainSession> expiringAt(Instant end) {
    return Optional.of(until(end));
  }

  PlainSession indexed(String... keys) {
    return new PlainSession(id, realm, person, createdAt, expiresAt, Set.of(keys), touches);
  }

  PlainSession of(String newPerson) {
    return new PlainSession(id, realm, new PersonId(newPerson), createdAt, expiresAt, indexKeys, touches);
  }

  PlainSession in(String newRealm) {
    return new PlainSession(id, newRealm, person, createdAt, expiresAt, indexKeys, touches);
  }

  private static final class Codec implements ValueCodec<PlainSession> {
    @Override
    public byte[] encode(PlainSession session) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (DataOutputStream out = new DataOutputStream(bytes)) {
        out.writeByte(1);
        out.writeUTF(session.id().value());
        out.writeUTF(session.realm());
        out.writeUTF(session.person().value());
        out.writeUTF(session.createdAt().toString());
        out.writeUTF(session.expiresAt().toString());
        out.writeInt(session.touches());
        out.writeInt(session.indexKeys().size());
        for (String key : new TreeSet<>(session.indexKeys())) {
          out.writeUTF(key);
        }
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
      return bytes.toByteArray();
    }

    @Override
    public PlainSession decode(byte[] bytes) {
      try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
        if (in.readByte() != 1) {
          throw new IllegalArgumentException("Not a version of PlainSession");
        }
        SessionId id = new SessionId(in.readUTF());
        String realm = in.readUTF();
        PersonId person = new PersonId(in.readUTF());
        Instant createdAt = Instant.parse(in.readUTF());
        Instant expiresAt = Instant.parse(in.readUTF());
        int touches = in.readInt();
        Set<String> keys = new TreeSet<>();
        for (int left = in.readInt(); left > 0; left--) {
          keys.add(in.readUTF());
        }
        return new PlainSession(id, realm, person, createdAt, expiresAt, Set.copyOf(keys), touches);
      } catch (IOException e) {
        throw new IllegalArgumentException("Not a PlainSession", e);
      }
    }
  }
}
