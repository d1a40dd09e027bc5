package dev.gatehouse.gateway.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/reference/metrics.md} lists every meter that the code registers, with its tags and unit. */
class MetricsPageTest {

  private static final String PAGE = "metrics.md";

  /** Up to where the meter is registered; counters take their tags as arguments. */
  private static final Pattern METER =
      Pattern.compile("\\b(counter|builder|gauge|timer|summary)\\(\\s*\"(gatehouse\\.[a-z.]+)\"(.*?)(?:\\.register\\(|;)", Pattern.DOTALL);

  private static final Pattern TAG = Pattern.compile("\\.tag\\(\\s*\"(\\w+)\"|^,\\s*\"(\\w+)\"");
  private static final Pattern UNIT = Pattern.compile("\\.baseUnit\\(\"(\\w+)\"\\)");

  /** @param tags separated by commas */
  private record Meter(String tags, String unit) {}

  @Test
  void everyMeterIsListedWithItsTags() {
    Map<String, Meter> registered = registered();
    Map<String, List<String>> listed = new TreeMap<>();
    for (List<String> row : ReferenceTable.in(PAGE, "metrics").getFirst().rows()) {
      listed.put(ReferenceTable.codes(row.getFirst()).findFirst().orElseThrow(), row);
    }
    assertThat(registered).hasSizeGreaterThan(10);
    assertThat(listed.keySet()).containsExactlyInAnyOrderElementsOf(registered.keySet());
    listed.forEach(
        (name, row) -> {
          Meter meter = registered.getOrDefault(name, new Meter("", ""));
          assertThat(String.join(",", ReferenceTable.codes(row.get(3)).toList())).as("tags of " + name).isEqualTo(meter.tags());
          assertThat(row.get(2)).as("unit of " + name).contains(meter.unit());
        });
  }

  @Test
  void everyEnumIsListed() {
    ReferenceTable.assertEnumsAreListed(PAGE);
  }

  private static Map<String, Meter> registered() {
    Map<String, Meter> meters = new TreeMap<>();
    for (String text : MainSources.of("common", "sp", "idp", "gateway").files().values()) {
      METER.matcher(text).results().forEach(found -> meters.put(found.group(2), meter(found)));
    }
    return meters;
  }

  private static Meter meter(MatchResult found) {
    boolean byBuilder = found.group(1).equals("builder");
    Stream<String> tags =
        TAG.matcher(found.group(3))
            .results()
            .filter(tag -> byBuilder == (tag.group(1) != null))
            .map(tag -> byBuilder ? tag.group(1) : tag.group(2));
    String unit = UNIT.matcher(found.group(3)).results().map(result -> result.group(1)).findFirst().orElse("");
    return new Meter(String.join(",", tags.toList()), unit);
  }
}
