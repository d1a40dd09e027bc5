package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.realm.TrafficConfig;
import dev.gatehouse.common.realm.TrafficConfig.Rate;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads {@code limits} of a route. */
final class TrafficYaml {

  private static final Pattern RATE = Pattern.compile("([1-9]\\d{0,6})/(s|m|h)( burst ([1-9]\\d{0,6}))?");

  private final YamlSection limits;
  private final boolean open;

  /** @param open whether the route is public, so that nobody is identified there */
  TrafficYaml(YamlSection route, boolean open) {
    this.limits = route.sectionOrEmpty("limits");
    this.open = open;
  }

  TrafficConfig read() {
    if (open && limits.has("perPerson")) {
      limits.problem("perPerson", "has no use on a public route, where nobody is known", "write perAddress");
    }
    return new TrafficConfig(
        limits.value("body").flatMap(v -> v.size(1 << 10, 1L << 50)), rate("perAddress"), rate("perPerson"), rate("perRoute"));
  }

  private Optional<Rate> rate(String key) {
    return limits.value(key).flatMap(TrafficYaml::rate);
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
