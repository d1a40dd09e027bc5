package dev.gatehouse.sp.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.device.DeviceBinding;
import dev.gatehouse.common.device.DeviceBinding.Kind;
import dev.gatehouse.common.device.DeviceBinding.State;
import dev.gatehouse.common.device.Fingerprint;
import dev.gatehouse.common.device.SessionDevice;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.session.Lifetime;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.store.UnknownFormat;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Sessions of this version and of the one before. */
final class AppSessionCodecTest {

  private static final Instant NOW = Instant.parse("2026-11-26T12:00:00.123456789Z");
  private static final SessionId ID = new SessionId("id");

  private final AppSessionCodec codec = new AppSessionCodec();
  private final AppSession plain =
      new AppSession(
          ID, "demo", new Lifetime(NOW, NOW.plusSeconds(60), NOW.plusSeconds(3600)),
          new LocalAccount(AppSession.personId("idp", "alice"), "alice", List.of("employee"), List.of(), Map.of("mail", List.of("a@b"))),
          new AppSession.Login("idp", NameId.of("alice", NameId.UNSPECIFIED), Optional.empty(), Optional.of("password"), NOW));

  /** Nodes of the version before read them, during a rolling upgrade and after a way back. */
  @Test
  void aSessionWithoutDeviceHasTheFormerVersion() {
    byte[] bytes = codec.encode(plain);
    assertThat(bytes[0]).isEqualTo((byte) 4);
    assertThat(codec.decode(bytes)).isEqualTo(plain);
  }

  @Test
  void everyStateOfADeviceIsRead() {
    Fingerprint login = Fingerprint.of(Headers.of("User-Agent", "Mozilla/5.0 (X11; Linux x86_64) Chrome/156.0").and("Accept-Language", "en"), 0xBEEF);
    AppSession session =
        plain.on(
            new SessionDevice(
                Optional.of(login),
                List.of(
                    DeviceBinding.begin(ID, NOW),
                    new DeviceBinding(new SessionId("a"), NOW.plusSeconds(1), new State.Keyless()),
                    new DeviceBinding(new SessionId("b"), NOW, new State.Bound(Kind.DBSC, "{\"kty\":\"EC\"}", "thumb")),
                    new DeviceBinding(new SessionId("c"), NOW, new State.Bound(Kind.WEB_CRYPTO, "{}", "other")))));
    byte[] bytes = codec.encode(session);
    assertThat(bytes[0]).isEqualTo((byte) 6);
    assertThat(codec.decode(bytes)).isEqualTo(session);
  }

  @Test
  void anotherEndChangesNothingElse() {
    AppSession bound = plain.on(new SessionDevice(Optional.empty(), List.of(DeviceBinding.begin(ID, NOW))));
    AppSession later = bound.expiringAt(NOW.plusSeconds(77)).orElseThrow();
    assertThat(later.expiresAt()).isEqualTo(NOW.plusSeconds(77));
    assertThat(later.expiringAt(bound.expiresAt())).contains(bound);
  }

  @Test
  void aVersionThatIsNotNextToThisOneIsRefused() {
    byte[] bytes = codec.encode(plain);
    for (byte version : new byte[] {3, 8}) {
      bytes[0] = version;
      assertThatThrownBy(() -> codec.decode(bytes)).isInstanceOf(UnknownFormat.class).hasMessageContaining("4 to 7");
    }
  }
}
