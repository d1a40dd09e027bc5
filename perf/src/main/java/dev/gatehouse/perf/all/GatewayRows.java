package dev.gatehouse.perf.all;

import dev.gatehouse.perf.report.Row;
import dev.gatehouse.perf.report.Row.Compared;
import dev.gatehouse.perf.report.Row.Length;
import dev.gatehouse.perf.report.Row.Taken;
import dev.gatehouse.perf.report.Take;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The rows of S2, S4 and S5 at one node, by {@code bench gateway}; nginx runs beside it, in turns. */
final class GatewayRows {

  static final String PER_CPU = "per CPU second";

  private static final String OURS = "Gatehouse";
  private static final String NGINX = "nginx";
  private static final String HAPROXY = "HAProxy";
  private static final String GATEWAY = "gateway";

  private GatewayRows() {}

  static List<Row> all() {
    return List.of(pages(), logins(), authorization(), authmark(), fourMillion(), assured(), modules());
  }

  private static Row row(String id, String title, Length full, List<Length> quick, List<Taken> taken) {
    return new Row(id, title, GATEWAY, full, quick, Map.of(), taken);
  }

  static Taken ours(String figure, String row) {
    return Taken.of(figure, PER_CPU, new Take.Rate(OURS, row));
  }

  private static Taken besideBoth(String figure, String work) {
    return Taken.of(
        figure, PER_CPU, new Take.Rate(OURS, work), Compared.limit(NGINX, new Take.Rate(NGINX, work)),
        Compared.peer(HAPROXY, new Take.Rate(HAPROXY, work)));
  }

  private static Taken besideNginx(String figure, String work) {
    return Taken.of(figure, PER_CPU, new Take.Rate(OURS, work), Compared.limit(NGINX, new Take.Rate(NGINX, work)));
  }

  private static Row pages() {
    List<Taken> taken = new ArrayList<>();
    taken.add(ours("s2.public.http", "s2-public-http"));
    taken.add(ours("s2.public.https", "s2-public-https"));
    taken.add(ours("s2.public.page", "s2-page-a-session"));
    taken.add(ours("s2.public.ten-pages", "s2-ten-pages-a-session"));
    for (String work : List.of("public-page", "public-page-tls", "handshake-rsa", "handshake-p256")) {
      taken.add(besideBoth("beside." + work, work));
    }
    Take memory = Take.Field.of(Map.of("server", OURS), "openMb");
    taken.add(Taken.of("beside.open-connections", "MB", memory, Compared.peer(NGINX, Take.Field.of(Map.of("server", NGINX), "openMb"))));
    taken.add(ours("s2.public.60k", "public-page-60k").inFullRuns());
    taken.add(besideBoth("s2.public.8m", "large-page").inFullRuns());
    String scenarios = " --scenario s2-public-http,s2-public-https,s2-page-a-session,s2-ten-pages-a-session --people 1000 ";
    String works = "gateway --work public-page,public-page-tls,handshake-rsa,handshake-p256";
    return row(
        "s2-pages", "S2: public pages, beside nginx and HAProxy",
        Length.of(18, works + ",public-page-60k,large-page" + scenarios + "--rounds 5 --seconds 8"),
        List.of(Length.of(3, works + scenarios + "--without-haproxy --warm-up 10 --rounds 2 --seconds 4")), taken);
  }

  private static Row logins() {
    List<Taken> taken =
        List.of(
            ours("s2.login.basic", "s2-basic"), ours("s2.login.secure-basic", "s2-secure-basic"), ours("s2.login.form", "s2-form"),
            ours("s2.login.secure-form", "s2-secure-form").inFullRuns(),
            ours("s2.login.role", "s2-form-role"), ours("s2.login.injection", "s2-form-injection"), ours("s2.login.fill", "s2-form-fill"));
    String options =
        "gateway --work public-page --people 100000 --open 0"
            + " --scenario s2-basic,s2-secure-basic,s2-form,s2-form-role,s2-form-injection,s2-form-fill";
    return row(
        "s2-logins", "S2: logins at the gateway", Length.of(17, options + ",s2-secure-form --rounds 5 --seconds 10"),
        List.of(Length.of(3.6, options + " --without-haproxy --warm-up 20 --rounds 1 --seconds 5")), taken);
  }

  private static Row authorization() {
    List<Taken> taken = new ArrayList<>();
    taken.add(ours("s2.authorization.page", "s2-one-page"));
    taken.add(ours("s2.authorization.ten-pages", "s2-ten-pages"));
    taken.add(besideNginx("beside.protected-page", "protected-page"));
    for (String work : List.of("pass-through", "pass-through-tls")) {
      taken.add(besideBoth("beside." + work, work));
    }
    String options =
        "gateway --work protected-page,pass-through,pass-through-tls --scenario s2-one-page,s2-ten-pages --people 100000 --open 0 ";
    return row(
        "s2-authorization", "S2: authorization, and protected pages beside nginx and HAProxy", Length.of(11, options + "--rounds 5 --seconds 8"),
        List.of(Length.of(2.7, options + "--without-haproxy --warm-up 15 --rounds 2 --seconds 4")), taken);
  }

  private static final String AUTHMARK =
      "gateway --work extranet-cookie,extranet-password,authmark-login --without-scenarios --open 0 ";

  private static Row authmark() {
    List<Taken> taken =
        List.of(
            ours("s4.login", "authmark-login"), besideNginx("s5.session", "extranet-cookie"),
            besideNginx("s5.password", "extranet-password"));
    return row(
        "s4-s5", "S4 and S5: AuthMark, 1,000,000 people (quick: 50,000)",
        Length.of(15, AUTHMARK + "--people 1000000 --rounds 5 --seconds 10"),
        List.of(Length.of(2, AUTHMARK + "--people 50000 --active 5000 --warm-up 14 --rounds 2 --seconds 5")), taken);
  }

  private static Row fourMillion() {
    List<Taken> taken =
        List.of(besideNginx("s5.session.4m", "extranet-cookie"), besideNginx("s5.password.4m", "extranet-password"),
            ours("curve.people.4000000", "authmark-login"));
    return row(
        "s5-4m", "S5: AuthMark Extranet, 4,000,000 people", Length.of(40, AUTHMARK + "--people 4000000 --rounds 5 --seconds 10"),
        List.of(), taken);
  }

  private static Row assured() {
    String file = "gateway-assured-observe";
    List<Taken> taken =
        List.of(
            Taken.of("s2.assurance.idp", "share", new Take.Cell(file, "assured-login-without-key", 4)),
            Taken.of("s2.assurance.gateway", "share", new Take.Cell(file, "assured-page", 4)));
    String options = "gateway --assured observe --people 10000 ";
    return row(
        "s2-assured", "S2: session assurance", Length.of(9, options + "--rounds 7 --seconds 8"),
        List.of(Length.of(2.3, options + "--warm-up 6 --rounds 3 --seconds 4")), taken);
  }

  private static Row modules() {
    String work = "protected-page";
    List<Compared> peers = new ArrayList<>();
    for (String each : List.of("mod_auth_mellon", "mod_auth_openidc")) {
      peers.add(Compared.peer(each, new Take.Rate(each, work)));
    }
    peers.add(Compared.limit("Apache, unprotected", new Take.Rate("Apache, unprotected", work)));
    Taken taken = new Taken("beside.apache", PER_CPU, new Take.Rate(OURS, work), peers, false);
    return new Row(
        "apache", "A protected page, beside Apache's modules", "modules", Length.of(5, "modules"), List.of(), Map.of(), List.of(taken));
  }
}
