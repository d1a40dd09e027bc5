package dev.gatehouse.perf.all;

import dev.gatehouse.perf.oauth.BareDirectory;
import dev.gatehouse.perf.report.Row;
import dev.gatehouse.perf.report.Row.Compared;
import dev.gatehouse.perf.report.Row.Length;
import dev.gatehouse.perf.report.Row.Taken;
import dev.gatehouse.perf.report.Take;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The row of S3: each flow beside Keycloak, the bare signature and the bare directory, in turns. */
final class OAuthRows {

  private static final String KEYCLOAK = "Keycloak";

  private OAuthRows() {}

  static List<Row> all() {
    List<Taken> taken = new ArrayList<>();
    taken.add(flow("s3.client-credentials", "client-credentials-rs256", SamlRows.signature("rsa-2048")));
    taken.add(flow("s3.password", "password", directory()));
    taken.add(flow("s3.implicit-token", "implicit-token", directory()));
    taken.add(flow("s3.implicit-id-token", "implicit-id-token", directory()));
    taken.add(flow("s3.implicit-both", "implicit-both", directory()));
    taken.add(flow("s3.code", "code-with-login", directory()));
    taken.add(flow("s3.tokeninfo", "tokeninfo"));
    taken.add(flow("s3.refresh", "refresh", SamlRows.signature("p-256")));
    taken.add(flow("s3.userinfo", "userinfo"));
    taken.add(flow("beside.client-credentials-es256", "client-credentials-es256", SamlRows.signature("p-256")));
    for (String each :
        List.of(
            "client-credentials-opaque", "client-credentials-dpop", "introspection", "introspection-opaque", "userinfo-opaque",
            "refresh-opaque", "par", "code-with-session")) {
      taken.add(flow("beside." + each, each));
    }
    taken.add(Taken.of("beside.refresh-memory", "bytes", new Take.Field(Map.of(), List.of("heapBytes"), "tokens", 1)));
    return List.of(
        new Row(
            "s3", "S3: OAuth 2.0, beside Keycloak", "oauth",
            Length.of(55, "oauth --without-gatling --warm-up 30 --peer-warm-up 60 --rounds 5 --seconds 8"),
            List.of(Length.of(8.2, "oauth --without-gatling --short")), Map.of(), taken));
  }

  private static Compared directory() {
    return Compared.limit("slapd alone", new Take.Rate("slapd", BareDirectory.ROW));
  }

  private static Taken flow(String figure, String flow, Compared... limits) {
    List<Compared> compared = new ArrayList<>(List.of(Compared.peer(KEYCLOAK, new Take.Rate(KEYCLOAK, flow))));
    compared.addAll(List.of(limits));
    return new Taken(figure, GatewayRows.PER_CPU, new Take.Rate("Gatehouse", flow), compared, false);
  }
}
