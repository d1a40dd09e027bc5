package dev.gatehouse.idp.otp.radius;

import dev.gatehouse.common.audit.AuditEvent.Context;
import dev.gatehouse.common.audit.AuditEvent.MessageRefused;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.audit.AuditRateLimit;
import dev.gatehouse.common.audit.AuditUnavailable;
import dev.gatehouse.common.page.RefusalLog;
import dev.gatehouse.common.throttle.LogThrottle;
import dev.gatehouse.idp.otp.PasscodeStoreUnavailable;
import dev.gatehouse.idp.otp.packet.AttributeType;
import dev.gatehouse.idp.otp.packet.DuplicateWindow;
import dev.gatehouse.idp.otp.packet.DuplicateWindow.Entry;
import dev.gatehouse.idp.otp.packet.DuplicateWindow.Seen;
import dev.gatehouse.idp.otp.packet.PacketCode;
import dev.gatehouse.idp.otp.packet.PacketWriter;
import dev.gatehouse.idp.otp.packet.RadiusPacket;
import dev.gatehouse.idp.otp.packet.SharedSecret;
import dev.gatehouse.idp.otp.radius.RadiusMetrics.Result;
import java.net.InetAddress;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is done with a packet, whichever socket it came by. {@link #admit} is cheap and does not block: it checks who sent the packet, and
 * whether it is new. {@link #work} may take as long as the stores of tokens do.
 */
final class RadiusRequests {

  private static final Logger LOG = LoggerFactory.getLogger(RadiusRequests.class);

  /** Where a packet came from. */
  record Source(InetAddress address, Object channel) {}

  /** A request that was admitted; it holds one of the places. */
  record Admitted(KnownClient client, Source source, RadiusPacket packet, Entry entry, long arrived) {}

  /** What becomes of a packet. */
  sealed interface Admission {
    /** It is to be worked on. */
    record Work(Admitted request) implements Admission {}

    /** The answer is known. */
    record Known(byte[] answer) implements Admission {}

    /** It gets no answer, at least not now. */
    record Silence() implements Admission {}
  }

  private static final Admission SILENCE = new Admission.Silence();

  private final AccessRequests access;
  private final AccountingRequests accounting;
  private final AuditLog audit;
  private final AuditRateLimit rate;
  private final RadiusMetrics metrics;
  private final DuplicateWindow duplicates = new DuplicateWindow(System::nanoTime);
  private final int places;
  private final Semaphore free;
  private final LogThrottle unwritten = new LogThrottle();
  private final LogThrottle unavailable = new LogThrottle();
  private final LogThrottle faults = new LogThrottle();
  private final LogThrottle overload = new LogThrottle();

  /**
   * Creates what works on requests. Packets that get no answer have a pace of their own: whoever forges an address hides no refusals of
   * browsers from there.
   *
   * @param places the most requests that are worked on at the same time
   */
  RadiusRequests(Passcodes passcodes, AuditLog audit, RefusalLog refusals, InstantSource time, RadiusMetrics metrics, int places) {
    this.access = new AccessRequests(passcodes, audit, refusals);
    this.accounting = new AccountingRequests(audit);
    this.audit = audit;
    this.rate = new AuditRateLimit(time);
    this.metrics = metrics;
    this.places = places;
    this.free = new Semaphore(places);
  }

  /** Decides what becomes of a packet of a known client. */
  Admission admit(KnownClient client, Source source, RadiusPacket packet) {
    long arrived = System.nanoTime();
    Optional<Dropped> problem = problem(client.secret(), packet);
    if (problem.isPresent()) {
      refuse(problem.get(), client.realm().name(), client.name(), source.address());
      return SILENCE;
    }
    return switch (duplicates.seen(source.channel(), packet.code(), packet.identifier(), packet.authenticator())) {
      case Seen.Again(Optional<byte[]> answer) -> {
        metrics.duplicate();
        yield answer.<Admission>map(Admission.Known::new).orElse(SILENCE);
      }
      case Seen.New(Entry entry) -> {
        if (free.tryAcquire()) {
          yield new Admission.Work(new Admitted(client, source, packet, entry, arrived));
        }
        duplicates.forget(entry);
        metrics.dropped(Dropped.OVERLOADED);
        overload.count().ifPresent(times -> LOG.warn("RADIUS works on {} requests and drops others ({} times since the start)", places, times));
        yield SILENCE;
      }
    };
  }

  /** Checks that the packet is a request from somebody with the client's secret. */
  private static Optional<Dropped> problem(SharedSecret secret, RadiusPacket packet) {
    return switch (packet.code()) {
      case ACCESS_REQUEST, STATUS_SERVER -> {
        if (!packet.has(AttributeType.MESSAGE_AUTHENTICATOR)) {
          yield Optional.of(Dropped.AUTHENTICATOR_MISSING);
        }
        yield secret.hasMessageAuthenticator(packet) ? Optional.empty() : Optional.of(Dropped.NOT_AUTHENTIC);
      }
      case ACCOUNTING_REQUEST -> {
        boolean signed =
            !packet.has(AttributeType.MESSAGE_AUTHENTICATOR) || secret.hasMessageAuthenticator(packet);
        yield signed && secret.hasAccountingAuthenticator(packet) ? Optional.empty() : Optional.of(Dropped.NOT_AUTHENTIC);
      }
      case ACCESS_ACCEPT, ACCESS_REJECT, ACCESS_CHALLENGE, ACCOUNTING_RESPONSE -> Optional.of(Dropped.UNEXPECTED_CODE);
    };
  }

  /** Works on an admitted request, and gives its place back. Returns the answer, if there is one. */
  Optional<byte[]> work(Admitted request) {
    try {
      return switch (answered(request)) {
        case Answer.Sent(byte[] packet, Result result) -> {
          duplicates.answered(request.entry(), packet);
          metrics.answered(request.client().name(), result, System.nanoTime() - request.arrived());
          yield Optional.of(packet);
        }
        case Answer.Silent(Dropped reason) -> {
          duplicates.forget(request.entry());
          metrics.dropped(reason);
          yield Optional.empty();
        }
      };
    } finally {
      free.release();
    }
  }

  private Answer answered(Admitted request) {
    KnownClient client = request.client();
    RadiusPacket packet = request.packet();
    try {
      return switch (packet.code()) {
        case ACCOUNTING_REQUEST -> accounting.answer(client, request.source().address(), packet);
        case STATUS_SERVER ->
            AccessRequests.sent(client, packet, new PacketWriter(PacketCode.ACCESS_ACCEPT, packet.identifier()), Result.STATUS);
        case ACCESS_REQUEST -> access.answer(client, request.source().address(), packet);
        case ACCESS_ACCEPT, ACCESS_REJECT, ACCESS_CHALLENGE, ACCOUNTING_RESPONSE ->
            throw new IllegalStateException("admitted: " + packet);
      };
    } catch (PasscodeStoreUnavailable | AuditUnavailable e) {
      unavailable.count().ifPresent(times -> LOG.warn("A RADIUS request got no answer: {} ({} times since the start)", e.getMessage(), times));
      return new Answer.Silent(Dropped.UNAVAILABLE);
    } catch (RuntimeException e) {
      faults.count().ifPresent(times -> LOG.error("A RADIUS request failed ({} times since the start)", times, e));
      return new Answer.Silent(Dropped.FAULT);
    }
  }

  /** Counts a packet or connection that gets no answer, with an entry of the audit log at a pace. */
  void refuse(Dropped reason, String realm, String client, InetAddress from) {
    metrics.dropped(reason);
    if (!reason.isRefusal() || !rate.admits(from)) {
      return;
    }
    try {
      audit.record(new MessageRefused(new Context(realm, from.getHostAddress(), Optional.empty()), client, "RADIUS", reason.name()));
    } catch (AuditUnavailable e) {
      OptionalLong times = unwritten.count();
      times.ifPresent(count -> LOG.warn("Refusals of RADIUS packets are not in the audit log ({} since the start)", count));
    }
  }

  /** Waits until nothing is worked on, but no longer than that. */
  void awaitEnd(long millis) {
    try {
      if (free.tryAcquire(places, millis, TimeUnit.MILLISECONDS)) {
        free.release(places);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
