package dev.gatehouse.common.device;

import dev.gatehouse.common.codec.PackedReader;
import dev.gatehouse.common.codec.PackedWriter;
import dev.gatehouse.common.device.DeviceBinding.Kind;
import dev.gatehouse.common.device.DeviceBinding.State;
import dev.gatehouse.common.session.SessionId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The device that a session is bound to.
 *
 * @param fingerprint taken at the login
 * @param bindings one for each token of the session that may be bound
 */
public record SessionDevice(Optional<Fingerprint> fingerprint, List<DeviceBinding> bindings) {

  /** The device of a session that began while nothing was checked. */
  public static final SessionDevice NONE = new SessionDevice(Optional.empty(), List.of());

  public SessionDevice {
    bindings = List.copyOf(bindings);
  }

  /** Returns the binding of a token. */
  public Optional<DeviceBinding> binding(SessionId token) {
    for (DeviceBinding binding : bindings) {
      if (binding.token().equals(token)) {
        return Optional.of(binding);
      }
    }
    return Optional.empty();
  }

  /** Returns this device with a binding in place of the one of its token. */
  public SessionDevice with(DeviceBinding binding) {
    List<DeviceBinding> more = new ArrayList<>(bindings);
    more.removeIf(known -> known.token().equals(binding.token()));
    more.add(binding);
    return new SessionDevice(fingerprint, more);
  }

  /** Returns this device without the binding of a token. */
  public SessionDevice without(SessionId token) {
    return new SessionDevice(fingerprint, bindings.stream().filter(known -> !known.token().equals(token)).toList());
  }

  /** Writes the device. */
  public void write(PackedWriter out, Instant begin) {
    out.optional(fingerprint, SessionDevice::write);
    out.list(bindings, (to, binding) -> write(to, binding, begin));
  }

  /** Reads what {@link #write} wrote. */
  public static SessionDevice read(PackedReader in, Instant begin) {
    return new SessionDevice(in.optional(SessionDevice::fingerprint), in.list(from -> binding(from, begin)));
  }

  private static void write(PackedWriter out, Fingerprint fingerprint) {
    out.word(fingerprint.family());
    out.number(fingerprint.major());
    out.word(fingerprint.system());
    out.word(fingerprint.platform());
    out.number(fingerprint.mobile() ? 1 : 0);
    out.word(fingerprint.language());
    out.number(fingerprint.fields());
    // The version before reads the lower 32 bits of this number only.
    out.number((long) fingerprint.clientHello() << 32 | fingerprint.order());
  }

  private static Fingerprint fingerprint(PackedReader in) {
    String family = in.word();
    int major = (int) in.number();
    String system = in.word();
    String platform = in.word();
    boolean mobile = in.number() == 1;
    String language = in.word();
    int fields = (int) in.number();
    long order = in.number();
    return new Fingerprint(family, major, system, platform, mobile, language, fields, (int) order, (int) (order >>> 32));
  }

  private static void write(PackedWriter out, DeviceBinding binding, Instant begin) {
    out.text(binding.token().value());
    out.instant(binding.since(), begin);
    switch (binding.state()) {
      case State.Unbound unbound -> out.number(0);
      case State.Keyless keyless -> out.number(1);
      case State.Bound(Kind kind, String jwk, String thumbprint) -> {
        out.number(kind == Kind.DBSC ? 2 : 3);
        out.text(jwk);
        out.text(thumbprint);
      }
    }
  }

  private static DeviceBinding binding(PackedReader in, Instant begin) {
    SessionId token = new SessionId(in.text());
    Instant since = in.instant(begin);
    long state = in.number();
    if (state < 0 || state > 3) {
      throw new IllegalArgumentException("not a state of a binding");
    }
    return new DeviceBinding(
        token,
        since,
        switch ((int) state) {
          case 0 -> new State.Unbound();
          case 1 -> new State.Keyless();
          default -> new State.Bound(state == 2 ? Kind.DBSC : Kind.WEB_CRYPTO, in.text(), in.text());
        });
  }
}
