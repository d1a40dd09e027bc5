package dev.gatehouse.perf.all;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.perf.otp.OtpServersCommand;
import dev.gatehouse.perf.report.Curve;
import dev.gatehouse.perf.report.Line;
import dev.gatehouse.perf.report.Plan;
import dev.gatehouse.perf.report.Row;
import dev.gatehouse.perf.report.Row.Taken;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** The plan has everything that was published, or says why not. */
class AllRowsTest {

  private static final Plan PLAN = AllRows.plan();

  /** Where the words of an option are constants of an enumeration. */
  private static final Map<String, String> WORDS =
      Map.of(
          "gateway --work", "gateway.Work", "gateway --scenario", "gateway.Scenario", "oauth --flow", "oauth.Flow", "nodes --row", "nodes.Row",
          "nodes --scenario", "gateway.Scenario", "otp --way", "otp.OtpCommand$Way", "tails --work", "service.Work");

  private static List<String> figures() {
    return PLAN.rows().stream().flatMap(row -> row.taken().stream()).map(Taken::figure).toList();
  }

  @Test
  void everyPublishedLineHasARowOrAReason() {
    Set<String> measured = Set.copyOf(figures());
    assertThat(Line.all()).hasSizeGreaterThan(120);
    assertThat(Line.all()).extracting(Line::id).doesNotHaveDuplicates();
    assertThat(Line.all().stream().filter(line -> measured.contains(line.id()) == !line.reason().isEmpty()).map(Line::id))
        .as("lines with neither a row nor a reason, or with both")
        .isEmpty();
    assertThat(Line.all()).extracting(Line::section).contains("S1", "S2", "S3", "S4", "S5", "S6");
  }

  /** The tables of FIGURES, counted there: 16 cases twice; 15 rows of S2; 9 of S3. */
  @Test
  void theTablesAreWhole() {
    assertThat(lines("s1\\.(sp|idp)\\..*")).hasSize(16);
    assertThat(lines("s1\\.two\\..*")).hasSize(16);
    assertThat(lines("s1\\.finding\\..*")).hasSize(8);
    assertThat(lines("s2\\.(public\\.(http|https|page|ten-pages)|login\\..*|authorization\\..*|sessions\\..*)")).hasSize(15);
    assertThat(lines("s3\\..*")).hasSize(9);
  }

  private static List<String> lines(String pattern) {
    return Line.all().stream().map(Line::id).filter(id -> id.matches(pattern)).toList();
  }

  @Test
  void everyFigureIsOfALineOrACurve() {
    assertThat(figures()).doesNotHaveDuplicates();
    assertThat(PLAN.rows()).extracting(Row::id).doesNotHaveDuplicates().allMatch(id -> id.matches("[a-z0-9-]+"));
    Set<String> known =
        Stream.concat(Line.all().stream().map(Line::id), PLAN.curves().stream().flatMap(each -> each.places().stream()).map(Curve.Place::figure))
            .collect(Collectors.toSet());
    assertThat(figures()).allMatch(known::contains);
  }

  @Test
  void everyPointOfACurveIsMeasuredByItsRow() {
    for (Curve curve : PLAN.curves()) {
      assertThat(curve.places()).as(curve.id()).hasSizeGreaterThanOrEqualTo(2);
      for (Curve.Place place : curve.places()) {
        assertThat(PLAN.rowOf(place.figure()).map(Row::id)).as(place.figure()).contains(place.row());
      }
    }
    assertThat(PLAN.curves())
        .extracting(Curve::xName)
        .contains("people", "sessions", "routes", "partners", "gateways", "cores", "GB of heap");
    assertThat(sizes("people")).containsExactly(1e3, 1e4, 1e5, 1e6, 4e6);
    assertThat(sizes("sessions-bytes")).containsExactly(1e3, 1e4, 1e5, 1e6);
    assertThat(sizes("routes")).containsExactly(1e1, 1e2, 1e3, 1e4);
    assertThat(sizes("partners-change")).containsExactly(1.0, 1e1, 1e2, 1e3, 1e4);
    assertThat(sizes("nodes-s4.login")).containsExactly(1.0, 2.0, 3.0, 4.0);
    assertThat(sizes("cores-pages")).containsExactly(1.0, 2.0);
    assertThat(sizes("heap")).containsExactly(0.25, 0.5, 1.0, 2.0, 4.0, 8.0);
  }

  /** Each kind of work with each number of callers, and at each load. */
  @Test
  void waitingTimesOfAllWorkAreTaken() throws ReflectiveOperationException {
    List<String> wanted = new ArrayList<>();
    for (String work : words("service.Work")) {
      List.of("16", "64", "256", "load-50", "load-80").forEach(each -> wanted.add("tails." + work + "." + each));
    }
    List<String> taken = PLAN.row("tails").orElseThrow().taken().stream().map(Taken::figure).toList();
    assertThat(taken).containsExactlyInAnyOrderElementsOf(wanted);
  }

  /** Those that the task names, each beside what it does as well. */
  @Test
  void peersAreMeasuredInTheSameRun() {
    assertThat(beside("beside.sso.rsa")).contains("Keycloak");
    assertThat(beside("s3.password")).contains("Keycloak");
    assertThat(beside("beside.pass-through")).contains("nginx", "HAProxy");
    assertThat(beside("beside.public-page")).contains("nginx", "HAProxy");
    assertThat(beside("beside.apache")).contains("mod_auth_mellon", "mod_auth_openidc");
  }

  private static List<String> beside(String figure) {
    return PLAN.rows().stream()
        .flatMap(row -> row.taken().stream())
        .filter(taken -> taken.figure().equals(figure))
        .flatMap(taken -> taken.compared().stream())
        .map(Row.Compared::name)
        .toList();
  }

  private static List<Double> sizes(String id) {
    return PLAN.curves().stream()
        .filter(curve -> curve.id().equals(id))
        .flatMap(curve -> curve.places().stream())
        .map(Curve.Place::x)
        .toList();
  }

  @Test
  void quickTakesAtMostNinetyMinutes() {
    assertThat(PLAN.minutes(true)).isBetween(60.0, AllRun.QUICK_MINUTES);
  }

  /** What --quick leaves out is large, or is a further point. */
  @Test
  void quickHasEverySection() {
    Set<String> without =
        PLAN.rows().stream()
            .flatMap(row -> row.taken().stream().filter(taken -> !row.isQuick() || taken.onlyFull()))
            .map(Taken::figure)
            .filter(figure -> figure.matches("s[1-6]\\..*"))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(without)
        .containsExactly(
            "s2.login.secure-form", "s2.public.60k", "s2.public.8m", "s5.password.4m", "s5.session.4m", "s6.import.50k", "s6.import.again", "s6.push.500k", "s6.push.50k", "s6.size");
  }

  @Test
  void everyCommandLineIsOneOfBench() throws ReflectiveOperationException {
    Constructor<?> constructor = Class.forName("dev.gatehouse.perf.Bench").getDeclaredConstructor();
    constructor.setAccessible(true);
    for (Row row : PLAN.rows()) {
      for (Row.Length length : Stream.concat(Stream.of(row.full()), row.quick().stream()).toList()) {
        CommandLine bench = new CommandLine(constructor.newInstance()).setCaseInsensitiveEnumValuesAllowed(true);
        CommandLine.ParseResult parsed = bench.parseArgs(length.arguments().toArray(String[]::new));
        assertThat(parsed.errors()).as(row.id()).isEmpty();
        for (Map.Entry<String, String> words : WORDS.entrySet()) {
          assertThat(chosen(words.getKey(), length.arguments())).as(row.id() + " " + words.getKey()).isSubsetOf(words(words.getValue()));
        }
      }
    }
  }

  /** These benchmarks call all their rounds measured, and the first ones are cold. */
  @Test
  void asManyRoundsCountAsTheBenchmarkIsTold() {
    for (Row.Length length : lengths()) {
      List<String> arguments = length.arguments();
      int told = arguments.indexOf("--counted");
      if (told >= 0) {
        assertThat(length.counted()).as(arguments.toString()).isEqualTo(Integer.parseInt(arguments.get(told + 1)));
      }
      if (List.of("saml", "directory", "web").contains(arguments.getFirst())) {
        int rounds = Integer.parseInt(arguments.get(arguments.indexOf("--rounds") + 1));
        assertThat(length.counted()).as(arguments.toString()).isPositive().isLessThan(rounds);
      }
    }
    Row cases = PLAN.row("s1").orElseThrow();
    assertThat(cases.length(false).counted()).isEqualTo(4);
    assertThat(cases.length(true).counted()).as("of two rounds, the first of which is cold").isEqualTo(1);
  }

  private static List<Row.Length> lengths() {
    return PLAN.rows().stream().flatMap(row -> Stream.concat(Stream.of(row.full()), row.quick().stream())).toList();
  }

  /** Nobody uses a passcode twice: with fewer people the command does not begin. */
  @Test
  void serversOfOneTimePasswordsHaveThePeopleThatTheirUsesNeed() {
    List<List<String>> lines =
        lengths().stream().map(Row.Length::arguments).filter(arguments -> arguments.getFirst().equals("otp-servers")).toList();
    assertThat(lines).hasSize(4);
    for (List<String> line : lines) {
      String[] options = line.subList(1, line.size()).toArray(String[]::new);
      CommandSpec parsed = new CommandLine(new OtpServersCommand()).parseArgs(options).commandSpec();
      int people = parsed.findOption("--people").getValue();
      int uses = parsed.findOption("--uses").getValue();
      assertThat(people).as(line.toString()).isGreaterThanOrEqualTo(3 * uses);
    }
  }

  private static List<String> chosen(String option, List<String> arguments) {
    String[] parts = option.split(" ");
    int at = arguments.indexOf(parts[1]);
    return arguments.getFirst().equals(parts[0]) && at >= 0 ? List.of(arguments.get(at + 1).split(",")) : List.of();
  }

  private static List<String> words(String type) throws ReflectiveOperationException {
    Class<?> words = Class.forName("dev.gatehouse.perf." + type);
    Method word = words.getDeclaredMethod("word");
    word.setAccessible(true);
    List<String> all = new ArrayList<>();
    for (Object constant : Arrays.asList(words.getEnumConstants())) {
      all.add((String) word.invoke(constant));
    }
    return all;
  }
}
