package dev.gatehouse.perf.all;

import dev.gatehouse.perf.report.Curve;
import dev.gatehouse.perf.report.Curve.Place;
import dev.gatehouse.perf.report.Row;
import dev.gatehouse.perf.report.Row.Length;
import dev.gatehouse.perf.report.Row.Taken;
import dev.gatehouse.perf.report.Take;
import dev.gatehouse.perf.server.NodeCores;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The rows of scaling curves, and the curves. A point that another row measures anyway is taken from there. */
final class CurveRows {

  static final List<Integer> ROUTES = List.of(10, 100, 1_000, 10_000);

  private static final List<Integer> PEOPLE = List.of(1_000, 10_000, 100_000, 1_000_000);
  private static final int MOST_PEOPLE = 4_000_000;
  private static final List<Integer> SESSIONS = List.of(1_000, 10_000, 100_000);
  private static final int MOST_SESSIONS = 1_000_000;
  private static final List<Integer> PARTNERS = List.of(1, 10, 100, 1_000, 10_000);
  private static final List<String> CORES = List.of("0", "0,1");
  private static final List<Double> MORE_CORES = List.of(4.0, 8.0, 16.0);
  private static final List<Integer> HEAP_MB = List.of(256, 512, 1_024, 2_048, 4_096, 8_192);
  private static final int QUICK_PEOPLE = 10_000;
  private static final int QUICK_PARTNERS = 1_000;
  private static final double GIGABYTE = 1_024;

  private CurveRows() {}

  static List<Row> all() {
    List<Row> rows = new ArrayList<>();
    PEOPLE.forEach(people -> rows.add(people(people)));
    SESSIONS.forEach(sessions -> rows.add(sessions(sessions)));
    PARTNERS.forEach(partners -> rows.add(change("partners", partners, "--partners " + partners + " --routes 10")));
    ROUTES.forEach(routes -> rows.add(change("routes", routes, "--partners 10 --routes " + routes)));
    for (String cores : CORES) {
      rows.add(pages(cores));
      rows.add(signOn(cores));
    }
    HEAP_MB.forEach(megabytes -> rows.add(heap(megabytes)));
    return List.copyOf(rows);
  }

  private static Row people(int people) {
    String options = "gateway --work authmark-login --without-scenarios --open 0 --people " + people;
    List<Length> quick = people <= QUICK_PEOPLE ? List.of(Length.of(0.6, options + " --warm-up 8 --rounds 3 --seconds 4")) : List.of();
    return new Row(
        "people-" + people, "Curve: AuthMark Login, " + people + " people", "gateway",
        Length.of(people > 100_000 ? 10 : 2.5, options + " --rounds 5 --seconds 10"), quick, Map.of(),
        List.of(GatewayRows.ours("curve.people." + people, "authmark-login")));
  }

  /** Resident bytes of a session, and what it takes to find one. */
  static List<Taken> sessionFigures(int sessions) {
    return List.of(
        Taken.of("curve.sessions.bytes." + sessions, "bytes", sessionBytes("gateway")),
        Taken.of("curve.sessions.find." + sessions, "µs", Take.Field.of(Map.of("kind", "gateway"), "findMicros")));
  }

  static Take sessionBytes(String kind) {
    return new Take.Field(Map.of("kind", kind), List.of("heapBytes", "nativeBytes"), "sessions", 1);
  }

  private static Row sessions(int sessions) {
    String options = "sessions --sessions " + sessions;
    List<Length> quick = sessions < 100_000 ? List.of(Length.of(0.2, options)) : List.of();
    return new Row(
        "sessions-" + sessions, "Curve: " + sessions + " sessions", "sessions", Length.of(1.5, options), quick, Map.of(),
        sessionFigures(sessions));
  }

  private static Row change(String what, int number, String options) {
    List<Length> quick =
        number == QUICK_PARTNERS
            ? List.of(Length.of(0.4, "revisions " + options + " --changes 4 --kills 0"))
            : List.of();
    return new Row(
        what + "-" + number, "Curve: a change with " + number + " " + what, "revisions",
        Length.of(1.5, "revisions " + options + " --changes 9 --kills 0"), quick, Map.of(),
        List.of(Taken.of("curve." + what + "." + number, "s", Take.Field.of(Map.of("servesAtOnce", "true"), "seconds"))));
  }

  private static int number(String cores) {
    return cores.split(",").length;
  }

  private static Row pages(String cores) {
    String options = "gateway --work protected-page,pass-through --without-scenarios --open 0 --people 1000";
    return new Row(
        "cores-pages-" + number(cores), "Curve: pages, nodes on " + number(cores) + " core(s)", "gateway",
        Length.of(3, options + " --rounds 5 --seconds 8"), List.of(Length.of(1.4, options + " --warm-up 6 --rounds 3 --seconds 3")),
        Map.of(NodeCores.VARIABLE, cores), List.of(GatewayRows.ours("curve.cores.pages." + number(cores), "protected-page")));
  }

  private static Row signOn(String cores) {
    String options = "sso --key p-256 --peer-warm-up 0";
    return new Row(
        "cores-sso-" + number(cores), "Curve: signed Responses, P-256, nodes on " + number(cores) + " core(s)", "sso",
        Length.of(3, options + " --warm-up 90"), List.of(),
        Map.of(NodeCores.VARIABLE, cores), List.of(GatewayRows.ours("curve.cores.sso." + number(cores), "p-256")));
  }

  private static Row heap(int megabytes) {
    String options = "oauth --flow code-with-session,refresh --without-keycloak --without-gatling --tokens 0";
    return new Row(
        "heap-" + megabytes, "Curve: code with a session, heap of " + megabytes + " MB", "oauth",
        Length.of(2.5, options + " --warm-up 30 --rounds 5 --seconds 8"), List.of(),
        Map.of("GATEHOUSE_JAVA_OPTS", "-Xms" + megabytes + "m -Xmx" + megabytes + "m"),
        List.of(GatewayRows.ours("curve.heap." + megabytes, "code-with-session")));
  }

  static List<Curve> curves() {
    List<Curve> curves = new ArrayList<>();
    List<Place> people = new ArrayList<>(places("people-", "curve.people.", PEOPLE));
    people.add(Place.of(MOST_PEOPLE, "s5-4m", "curve.people." + MOST_PEOPLE));
    String seconds = "s until it is in use";
    List<Place> found = ROUTES.stream().map(each -> Place.of(each, "routes", "curve.route." + each)).toList();
    curves.add(curve("people", "AuthMark Login by people in the directory", "people", "logins per CPU second of the gateway", people));
    curves.add(
        curve(
            "sessions-bytes", "Memory of a session by live sessions, with its share of what is fixed", "sessions",
            "resident bytes of a session", sessionPlaces("bytes")));
    curves.add(curve("sessions-find", "Finding a session by live sessions", "sessions", "CPU µs to find one", sessionPlaces("find")));
    curves.add(curve("routes", "Finding a route by routes (JMH)", "routes", "ns", found));
    curves.add(curve("routes-change", "A change by routes of the realm", "routes", seconds, places("routes-", "curve.routes.", ROUTES)));
    curves.add(
        curve("partners-change", "A change by partners of the realm", "partners", seconds, places("partners-", "curve.partners.", PARTNERS)));
    for (String work : List.of("s4.login", "s5.session")) {
      List<Place> places =
          IntStream.rangeClosed(1, NodeRows.MOST).mapToObj(n -> Place.of(n, "s4-s5-nodes", work + ".nodes." + n)).toList();
      String title = work.equals("s4.login") ? "AuthMark Login by gateways" : "AuthMark Extranet by gateways";
      curves.add(curve("nodes-" + work, title + ", all on two cores", "gateways", "per CPU second of all nodes", places));
    }
    curves.add(cores("pages", "Protected pages by cores of the node", "pages a second"));
    curves.add(cores("sso", "Signed Responses (P-256) by cores of the node", "Responses a second"));
    List<Place> heap = HEAP_MB.stream().map(each -> Place.of(each / GIGABYTE, "heap-" + each, "curve.heap." + each)).toList();
    curves.add(curve("heap", "Codes with a session by heap", "GB of heap", "flows per CPU second", heap));
    return List.copyOf(curves);
  }

  private static Curve curve(String id, String title, String xName, String yName, List<Place> places) {
    return new Curve(id, title, xName, yName, places, List.of());
  }

  private static List<Place> places(String row, String figure, List<Integer> sizes) {
    return sizes.stream().map(each -> Place.of(each, row + each, figure + each)).toList();
  }

  private static List<Place> sessionPlaces(String what) {
    List<Place> places = new ArrayList<>();
    SESSIONS.forEach(each -> places.add(Place.of(each, "sessions-" + each, "curve.sessions." + what + "." + each)));
    places.add(Place.of(MOST_SESSIONS, "sessions", "curve.sessions." + what + "." + MOST_SESSIONS));
    return places;
  }

  /** What the cores can do if the node has them alone: the load is on the same two cores of this machine. */
  private static Curve cores(String work, String title, String unit) {
    List<Place> places =
        CORES.stream()
            .map(CurveRows::number)
            .map(n -> new Place(n, "cores-" + work + "-" + n, "curve.cores." + work + "." + n, "", n))
            .toList();
    return new Curve("cores-" + work, title, "cores", unit + ", if they are the node's alone", places, MORE_CORES);
  }
}
