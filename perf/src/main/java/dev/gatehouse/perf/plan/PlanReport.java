package dev.gatehouse.perf.plan;

import dev.gatehouse.perf.harness.Markdown;
import dev.gatehouse.perf.plan.SharedCosts.Figure;
import dev.gatehouse.perf.plan.SharedCosts.Point;
import dev.gatehouse.perf.plan.Wish.Storage;
import java.util.Locale;

/** A plan as Markdown: what is needed, from which costs, and what of it is not measured. */
record PlanReport(Wish wish, Costs costs, SharedCosts shared, Plan plan) {

  private static final double MB = 1e6;
  private static final double GB = 1e9;

  String text() {
    boolean isShared = wish.storage() == Storage.SHARED;
    return needs(isShared) + costsTable() + (isShared ? sharedTable() + points() : "");
  }

  private String needs(boolean isShared) {
    Markdown table =
        Markdown.table(
                "role | nodes | of them spare | CPU seconds a second | busy with all nodes | busy with the spare ones missing "
                    + "| memory for sessions, each")
            .row("identity provider | %,d | %d | %,.2f | %s | %s | %s", plan.idpNodes(), wish.nodes().spare(), plan.idpCpu(),
                busy(plan.idpCpu(), plan.idpNodes()),
                busy(plan.idpCpu(), plan.idpNodes() - wish.nodes().spare()), memory(plan.idpSessionBytes(), shared.near().idpBytes()))
            .row("gateway | %,d | %d | %,.2f | %s | %s | %s", plan.gatewayNodes(), wish.nodes().spare(), plan.gatewayCpu(),
                busy(plan.gatewayCpu(), plan.gatewayNodes()),
                busy(plan.gatewayCpu(), plan.gatewayNodes() - wish.nodes().spare()),
                memory(plan.gatewaySessionBytes(), shared.near().appBytes()));
    return Markdown.format(
            "%,.0f logins with a logout each in a second, %,.0f %s pages in a second, %,.0f people logged in;%n"
                + "nodes of %d cores, %.0f %% busy at most; storage: %s.%n",
            wish.logins(), wish.hits(), wish.cached() ? "cached" : "passed", wish.sessions(),
            wish.nodes().cores(), wish.nodes().utilisation() * 100,
            wish.storage().name().toLowerCase(Locale.ROOT))
        + table
        + Markdown.format(
            "%n- Directory: %,.2f CPU seconds a second.%n- Gateways send %,.2f Gbit/s.%n- %s: %,.1f GB.%n", plan.directoryCpu(),
            plan.bitsPerSecond() / GB,
            isShared
                ? "Valkey's memory for sessions; twice as much while it writes its file anew"
                : "Sessions on the disk of the fullest node",
            plan.storeBytes() / GB);
  }

  private String memory(double bytes, Figure each) {
    return wish.storage() == Storage.SHARED && !each.measured() ? "not measured" : Markdown.format("%,.0f MB", bytes / MB);
  }

  private String busy(double cpu, int nodes) {
    return nodes < 1 ? "-" : Markdown.format("%.0f %%", 100 * cpu / nodes / wish.nodes().cores());
  }

  private String costsTable() {
    Markdown table =
        Markdown.table("cost | value | from")
            .row("login and logout, identity provider | %.2f ms | %s", costs.loginIdp() * 1e3, "saml.json: " + Costs.LOGIN)
            .row("the same, gateway | %.2f ms | saml.json", costs.loginSp() * 1e3)
            .row("the same, directory | %.2f ms | saml.json", costs.loginDirectory() * 1e3)
            .row("protected page, %s | %.1f µs | gateway.json", wish.cached() ? "cached" : "passed",
                (wish.cached() ? costs.cachedPage() : costs.passedPage()) * 1e6)
            .row("session, identity provider | %.0f bytes of memory, %.0f on disk | sessions.json", costs.idpSession().resident(),
                costs.idpSession().disk())
            .row("session, gateway | %.0f bytes of memory, %.0f on disk | sessions.json", costs.appSession().resident(),
                costs.appSession().disk());
    Markdown runs = Markdown.table("file | command | commit | processor");
    costs.sources().forEach(each -> runs.row("%s | `%s` | %s | %s", each.file(), each.command(), each.commit(), each.processor()));
    return "\nCosts, CPU of one core of the machine that measured them:\n" + table + runs;
  }

  private String sharedTable() {
    Markdown table =
        Markdown.table("shared storage | value |")
            .row("CPU for a login, in that with embedded storage | %.2f | %s", shared.login().value(), source(shared.login()))
            .row("CPU for a page, in that with embedded storage | %.2f | %s", shared.page().value(), source(shared.page()))
            .row("bytes in Valkey a session | %.0f | %s", shared.valkeyBytes().value(), source(shared.valkeyBytes()));
    NearCosts near = shared.near();
    table.row("sessions that a node keeps near, at most, if its heap has room | %,.0f | by construction", near.most())
        .row("memory of one, identity provider; gateway | %.0f bytes; %.0f bytes | %s", near.idpBytes().value(), near.appBytes().value(),
            near(near.idpBytes()))
        .row("pages whose session is read from Valkey, if all people click as often | %.1f %% | computed", 100 * plan.missShare())
        .row("CPU for such a read, gateway; Valkey | %.1f µs; %.1f µs | %s", near.miss().value() * 1e6, near.valkeyMiss().value() * 1e6,
            near(near.miss()));
    cpu(table, "Valkey", shared.valkeyCpu());
    if (near.valkeyMiss().measured()) {
      table.row("Valkey, CPU seconds a second for such reads | %.2f | computed", wish.hits() * plan.missShare() * near.valkeyMiss().value());
    }
    cpu(table, "PostgreSQL", shared.postgresCpu());
    return table.toString();
  }

  private void cpu(Markdown table, String store, Figure each) {
    if (each.measured()) {
      table.row("%s, CPU seconds a second | %.2f | measured", store, each.value() * wish.logins());
    } else {
      table.row("%s, CPU | not known | not measured", store);
    }
  }

  private static String near(Figure figure) {
    return figure.measured() ? "near.json" : "not measured: ./gatehouse bench sessions --near";
  }

  private static String source(Figure figure) {
    return figure.measured() ? "measured" : "an aim, not measured";
  }

  /** Measured points beside what the formulas say of them. */
  String points() {
    Markdown table = Markdown.table("checked at | commit | identity provider: planned, measured | gateway: planned, measured");
    for (Point point : shared.points()) {
      Wish same =
          new Wish(point.logins(), point.hits(), point.sessions(), 0, point.cached(), wish.nodes(), Storage.SHARED);
      Plan planned = Plan.of(same, costs, shared);
      table.row("`%s` | %s | %.2f, %.2f | %.2f, %.2f", point.command(), point.commit(), planned.idpCpu(), point.idpCpu(),
          planned.gatewayCpu(), point.gatewayCpu());
    }
    Markdown sessions =
        Markdown.table("checked at sessions | node keeps near: planned, measured | asked of Valkey: planned, measured");
    for (NearCosts.Point point : shared.near().points()) {
      sessions.row("%,.0f, %s | %.0f MB, %.0f MB | %.3f, %.3f", point.sessions(), point.kind(),
          shared.near().kept(point.sessions()) * point.bytesEach() / MB, point.bytes() / MB, shared.near().missShare(point.sessions()),
          point.missShare());
    }
    int missing = SharedCosts.WANTED_POINTS - shared.points().size();
    return table.toString()
        + (shared.near().points().isEmpty() ? "" : sessions)
        + (missing > 0
            ? Markdown.format(
                "%nNot checked yet: %d of %d measured points are missing (perf/results/plan-points.json).%n", missing,
                SharedCosts.WANTED_POINTS)
            : "");
  }
}
