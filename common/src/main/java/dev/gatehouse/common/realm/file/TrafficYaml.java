package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.TrafficConfig;
import dev.gatehouse.common.realm.TrafficConfig.Rate;
import dev.gatehouse.common.realm.WebSocketConfig;
import dev.gatehouse.common.realm.yaml.Durations;
import dev.gatehouse.common.realm.yaml.Key;
import dev.gatehouse.common.realm.yaml.Reach;
import dev.gatehouse.common.realm.yaml.Section;
import dev.gatehouse.common.realm.yaml.Type;
import dev.gatehouse.common.realm.yaml.YamlSection;
import dev.gatehouse.common.realm.yaml.YamlValue;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads {@code limits} and {@code webSocket} of a route. */
final class TrafficYaml {

  private static final Pattern RATE = Pattern.compile("([1-9]\\d{0,6})/(s|m|h)( burst ([1-9]\\d{0,6}))?");

  private static final Type<Rate> PER_TIME = Type.matching("rate", "^[1-9]\\d*/[smh]( burst [1-9]\\d*)?$", TrafficYaml::rate);

  static final Section KEYS = new Section();
  private static final Key<Long> BODY =
      KEYS.key("body", GatewayNodeYaml.BODY_SIZE, "e.g. 10MB",
          "Maximum size of a request's body; `limits.body` of the node unless configured.");
  private static final Key<Rate> PER_ADDRESS = KEYS.key("perAddress", PER_TIME, "e.g. 50/s",
      "Maximum rate of requests of one client address.");
  private static final Key<Rate> PER_PERSON = KEYS.key("perPerson", PER_TIME, "e.g. 600/m burst 100",
      "Maximum rate of requests of one person.");
  private static final Key<Rate> PER_ROUTE = KEYS.key("perRoute", PER_TIME, "e.g. 2000/s", "Maximum rate of all requests.");

  static final Section WEB_SOCKET = new Section();
  private static final Key<Origin> ORIGINS =
      WEB_SOCKET.list(
          "origins", Type.ORIGIN.reaching(Reach.NAME_ONLY), "[]",
          "Origins whose pages may open WebSockets, besides the request's own origin, e.g. `[https://pages.example.org]`.");
  private static final Key<Duration> IDLE =
      WEB_SOCKET.key("idle", Type.duration("1s", "1d"), "5m", "A WebSocket is closed after this time without data from either side.");

  private TrafficYaml() {}

  /** @param open whether the route is public, so that nobody is identified there */
  static TrafficConfig read(YamlSection route, boolean open) {
    YamlSection limits = route.sectionOrEmpty(RouteKeys.LIMITS);
    if (open && limits.has(PER_PERSON)) {
      limits.problem(PER_PERSON, "has no effect on a public route, where no person is known", "write perAddress");
    }
    return new TrafficConfig(limits.find(BODY), limits.find(PER_ADDRESS), limits.find(PER_PERSON), limits.find(PER_ROUTE));
  }

  static WebSocketConfig webSocket(YamlSection route) {
    YamlSection section = route.sectionOrEmpty(RouteKeys.WEB_SOCKET);
    return new WebSocketConfig(Set.copyOf(section.all(ORIGINS)), section.get(IDLE));
  }

  private static Optional<Rate> rate(YamlValue value) {
    Matcher rate = RATE.matcher(value.text());
    if (!rate.matches()) {
      return value.wrong(
          value.shown() + " is not a rate", "write requests per s, m or h, like 50/s or 600/m burst 100");
    }
    long requests = Long.parseLong(rate.group(1));
    long burst = rate.group(4) == null ? requests : Long.parseLong(rate.group(4));
    return Optional.of(new Rate(requests, Durations.of(1, rate.group(2)), burst));
  }
}
