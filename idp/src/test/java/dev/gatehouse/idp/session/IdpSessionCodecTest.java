package dev.gatehouse.idp.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.gatehouse.common.device.DeviceBinding;
import dev.gatehouse.common.device.Fingerprint;
import dev.gatehouse.common.device.SessionDevice;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.directory.PersonSnapshot;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.session.Lifetime;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.session.IdpSession.Browser;
import dev.gatehouse.idp.session.IdpSession.Participant;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class IdpSessionCodecTest {

  private static final IdpSessionCodec CODEC = new IdpSessionCodec();

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 20261121})
  void whatWasWrittenIsRead(long seed) {
    Sessions sessions = new Sessions(new Random(seed));
    for (int i = 0; i < 500; i++) {
      IdpSession session = sessions.next();
      assertThat(CODEC.decode(CODEC.encode(session))).isEqualTo(session);
    }
  }

  @Test
  void onlyASessionWithADeviceOrALoginByPasskeyOrTokenNeedsTheNewFormat() {
    IdpSession session = by(LoginContract.PASSWORD, AuthnLevel.PROTECTED_PASSWORD);
    assertThat(CODEC.encode(session)[0]).as("nodes of the former version read it").isEqualTo((byte) 4);
    SessionDevice device = new SessionDevice(Optional.empty(), List.of(DeviceBinding.begin(session.id(), session.createdAt())));
    IdpSession byPasskey = by(LoginContract.PASSKEY, AuthnLevel.PASSKEY);
    IdpSession byToken = by(LoginContract.TOKEN, AuthnLevel.TOKEN);
    for (IdpSession later : List.of(session.on(device), byPasskey, byPasskey.on(device), byToken)) {
      assertThat(CODEC.encode(later)[0]).as("they read up to 5, and refuse it").isEqualTo((byte) 7);
      assertThat(CODEC.decode(CODEC.encode(later))).isEqualTo(later);
    }
  }

  /** A session without a device. */
  private static IdpSession by(LoginContract contract, AuthnLevel level) {
    IdpSession any = new Sessions(new Random(11)).next();
    AuthnEvent event = new AuthnEvent(any.createdAt(), contract, level);
    return new IdpSession(
        any.id(), any.first(), any.realm(), any.lifetime(), any.snapshot(), List.of(event), any.browser(), any.participants(),
        SessionDevice.NONE);
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {4, 5})
  void brokenBytesAreRefusedOrReadAndNothingElse(long seed) {
    Random random = new Random(seed);
    Sessions sessions = new Sessions(random);
    for (int i = 0; i < 2000; i++) {
      byte[] bytes = CODEC.encode(sessions.next());
      byte[] broken = Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
      for (int n = random.nextInt(4); n > 0 && broken.length > 0; n--) {
        broken[random.nextInt(broken.length)] = (byte) random.nextInt();
      }
      try {
        CODEC.decode(broken);
      } catch (IllegalArgumentException expected) {
        assertThat(expected).hasMessageNotContaining("Index");
      }
    }
  }

  /** A directory that ignores case finds a person whose id it spells differently by now. */
  @Test
  void aSessionThatIsReadAgainKeepsItsPerson() {
    IdpSession session = new Sessions(new Random(7)).next();
    Person read = session.snapshot().details();
    Person renamed =
        new Person(
            new PersonId(session.person().value() + " "), "new name", read.dn(), read.attributes(), read.groups(), read.roles());
    IdpSession again = session.reread(renamed, session.createdAt());
    assertThat(again.person()).isEqualTo(session.person());
    assertThat(again.snapshot().details()).isEqualTo(renamed);
    assertThat(CODEC.decode(CODEC.encode(again))).isEqualTo(again);
  }

  @Test
  void anotherVersionIsRefused() {
    byte[] bytes = CODEC.encode(new Sessions(new Random(6)).next());
    bytes[0] = 1;
    assertThatIllegalArgumentException().isThrownBy(() -> CODEC.decode(bytes)).withMessageContaining("version");
  }

  /** Random sessions with any content that is possible. */
  private record Sessions(Random random) {

    IdpSession next() {
      Instant begin = instant();
      PersonId person = new PersonId(random.nextBoolean() ? uuid() : text());
      String name = text();
      SessionId id = SessionToken.create(random).id();
      return new IdpSession(
          id, random.nextBoolean() ? id : SessionToken.create(random).id(), "demo",
          new Lifetime(begin, begin.plusSeconds(1800), begin.plusSeconds(random.nextInt(100_000)).plusNanos(random.nextInt(1_000_000_000))),
          new PersonSnapshot(person, new Person(
              random.nextInt(5) == 0 ? new PersonId(text()) : person,
              name,
              random.nextBoolean() ? "uid=" + name + ",ou=people,dc=example,dc=org" : text(),
              attributes(),
              texts(),
              Set.copyOf(texts())), random.nextBoolean() ? begin : instant()),
          List.of(new AuthnEvent(begin, any(LoginContract.values()), any(AuthnLevel.values()))),
          new Browser(random.nextBoolean() ? "192.0.2." + random.nextInt(300) : "2001:db8::1", text()), participants(begin), device(id, begin));
    }

    private SessionDevice device(SessionId token, Instant begin) {
      Fingerprint fingerprint = new Fingerprint(text(), random.nextInt(200), text(), text(), random.nextBoolean(), text(), random.nextInt(2048), 7,
          random.nextInt(65_536));
      DeviceBinding.State state =
          switch (random.nextInt(4)) {
            case 0 -> new DeviceBinding.State.Unbound();
            case 1 -> new DeviceBinding.State.Keyless();
            default -> new DeviceBinding.State.Bound(any(DeviceBinding.Kind.values()), text(), text());
          };
      return random.nextBoolean()
          ? SessionDevice.NONE
          : new SessionDevice(Optional.of(fingerprint), List.of(new DeviceBinding(token, begin.plusSeconds(random.nextInt(300)), state)));
    }

    private List<Participant> participants(Instant begin) {
      List<Participant> participants = new ArrayList<>();
      for (int i = random.nextInt(4); i > 0; i--) {
        String partner = "https://sp" + random.nextInt(3) + ".example/metadata";
        Optional<String> spQualifier =
            random.nextBoolean() ? Optional.of(partner) : Optional.of(text()).filter(t -> random.nextBoolean());
        participants.add(
            new Participant(
                partner,
                new NameId(text(), text(), optional(), spQualifier, optional()),
                text(),
                random.nextBoolean() ? begin.plusMillis(random.nextInt(1000)) : instant()));
      }
      return participants;
    }

    private Map<String, List<String>> attributes() {
      Map<String, List<String>> attributes = new LinkedHashMap<>();
      for (int i = random.nextInt(5); i > 0; i--) {
        attributes.put(text(), texts());
      }
      return attributes;
    }

    private List<String> texts() {
      return random.ints(random.nextInt(4)).mapToObj(i -> i + text()).toList();
    }

    private Optional<String> optional() {
      return random.nextBoolean() ? Optional.of(text()) : Optional.empty();
    }

    /** Including texts that are nearly a UUID, an address or hexadecimal. */
    private String text() {
      return switch (random.nextInt(12)) {
        case 0 -> "";
        case 1 -> "_";
        case 2 -> uuid();
        case 3 -> uuid().toUpperCase(java.util.Locale.ROOT);
        case 4 -> "_" + Long.toHexString(random.nextLong());
        case 5 -> Long.toHexString(random.nextLong());
        case 6 -> "10.0.0." + random.nextInt(260);
        case 7 -> "010.1.2.3";
        case 8 -> "ä😀\0" + random.nextInt();
        case 9 -> "x".repeat(random.nextInt(400));
        case 10 -> "_" + uuid();
        default -> "name" + random.nextInt(20);
      };
    }

    private String uuid() {
      return new java.util.UUID(random.nextLong(), random.nextLong()).toString();
    }

    private Instant instant() {
      return switch (random.nextInt(5)) {
        case 0 -> Instant.ofEpochSecond(random.nextInt());
        case 1 -> Instant.ofEpochMilli(1_795_000_000_000L + random.nextInt(1_000_000_000));
        case 2 -> Instant.ofEpochSecond(1_795_000_000L + random.nextInt(1_000_000), random.nextInt(1_000_000_000));
        case 3 -> Instant.parse("2026-01-01T00:00:00Z").minusNanos(random.nextInt(1_000_000_000));
        default -> random.nextBoolean() ? Instant.MAX.minusSeconds(200_000) : Instant.MIN;
      };
    }

    private <T> T any(T[] values) {
      return values[random.nextInt(values.length)];
    }
  }
}
