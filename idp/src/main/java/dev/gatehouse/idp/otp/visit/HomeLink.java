package dev.gatehouse.idp.otp.visit;

import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.http.OutboundHttp;
import dev.gatehouse.common.http.OutboundHttp.Answer;
import dev.gatehouse.common.jose.StrictJson;
import dev.gatehouse.common.realm.Realm.TrustedRealm;
import dev.gatehouse.idp.otp.PasscodeResult.Reason;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The way to one trusted realm. It waits for no place: a home that hangs holds so many requests and no more, and others are not slowed. A
 * question about a passcode is never repeated, because its code may be used up. Searches have few places and a circuit of their own: whoever
 * types invented names cannot keep visitors out.
 */
final class HomeLink implements AutoCloseable {

  private static final int MOST_AT_ONCE = 64;
  private static final int MOST_SEARCHES = 16;
  private static final int MOST_BYTES = 192 << 10;
  private static final Duration LONGEST_SEARCH = Duration.ofSeconds(2);
  private static final Headers FORM =
      Headers.of(
          List.of(
              new Headers.Field("Content-Type", "application/x-www-form-urlencoded"), new Headers.Field("Accept", "application/json")));

  private final TrustedRealm home;
  private final OutboundHttp http;
  private final HomeCircuit circuit;
  private final HomeCircuit searchCircuit;
  private final LongAdder questions = new LongAdder();
  private final Semaphore places = new Semaphore(MOST_AT_ONCE);
  private final Semaphore searchPlaces = new Semaphore(MOST_SEARCHES);

  HomeLink(TrustedRealm home, OutboundHttp http, InstantSource clock) {
    this.home = home;
    this.http = http;
    this.circuit = new HomeCircuit(clock);
    this.searchCircuit = new HomeCircuit(clock);
  }

  TrustedRealm home() {
    return home;
  }

  HomeCircuit circuit() {
    return circuit;
  }

  /** Questions about passcodes and names that were sent since the link was made. */
  long questions() {
    return questions.sum();
  }

  /** Lets the home decide about a passcode. */
  HomeReply decide(Map<String, String> form, Optional<String> challenge) {
    Map<String, String> all = new HashMap<>(form);
    challenge.ifPresent(reference -> all.put("challenge", reference));
    return admitted(places, circuit, () -> post("visitors", all, home.timeout())).map(HomeReply::of).orElse(new HomeReply.Missing(Reason.HOME_UNAVAILABLE));
  }

  /** Asks whether the realm knows a name; empty without an answer. */
  Optional<Boolean> knows(String name, String visit) {
    Duration time = home.timeout().compareTo(LONGEST_SEARCH) < 0 ? home.timeout() : LONGEST_SEARCH;
    return admitted(searchPlaces, searchCircuit, () -> post("visitors/known", Map.of("name", name, "visit", visit), time))
        .flatMap(answer -> answer instanceof Answer.Received received && received.status() == 200 ? StrictJson.object(received.body()) : Optional.empty())
        .map(json -> Boolean.TRUE.equals(json.get("known")));
  }

  /** Reads {@code otp/v1/visitors} or {@code otp/v1/realm}, whatever the circuit says: an administrator wants to know. */
  Answer get(String path) {
    return http.getOnce(URI.create(home.document().url() + "/" + path), "application/json");
  }

  /** Empty if the home is not asked at all. It counts as away if it was not reached; an answer that we do not like is one. */
  private static Optional<Answer> admitted(Semaphore places, HomeCircuit circuit, Supplier<Answer> question) {
    if (!places.tryAcquire()) {
      return Optional.empty();
    }
    try {
      if (!circuit.admits()) {
        return Optional.empty();
      }
      Answer answer = question.get();
      if (isAnswer(answer)) {
        circuit.answered();
      } else {
        circuit.failed();
      }
      return Optional.of(answer);
    } finally {
      places.release();
    }
  }

  private static boolean isAnswer(Answer answer) {
    return answer instanceof Answer.Received || answer instanceof Answer.Failed failed && failed.cause() == OutboundHttp.Cause.TOO_LARGE;
  }

  private Answer post(String path, Map<String, String> form, Duration time) {
    questions.increment();
    byte[] body = encoded(form).getBytes(StandardCharsets.US_ASCII);
    return http.post(URI.create(home.document().url() + "/" + path), FORM, body, time, MOST_BYTES);
  }

  private static String encoded(Map<String, String> form) {
    return form.entrySet().stream()
        .map(entry -> entry.getKey() + "=" + URLEncoder.encode(entry.getValue(), StandardCharsets.UTF_8))
        .collect(Collectors.joining("&"));
  }

  @Override
  public void close() {
    http.close();
  }
}
