package dev.gatehouse.perf.service;

import dev.gatehouse.perf.gateway.Certificates;
import dev.gatehouse.perf.gateway.FormLogin;
import dev.gatehouse.perf.gateway.Gateway;
import dev.gatehouse.perf.gateway.OnePage;
import dev.gatehouse.perf.gateway.Pages;
import dev.gatehouse.perf.harness.ClosedLoad;
import dev.gatehouse.perf.harness.Resources;
import dev.gatehouse.perf.harness.Server;
import dev.gatehouse.perf.oauth.Flow;
import dev.gatehouse.perf.oauth.OAuthServer;
import dev.gatehouse.perf.server.Build;
import dev.gatehouse.perf.server.GatehouseNode;
import dev.gatehouse.perf.server.Lifetimes;
import dev.gatehouse.perf.server.ServerProcess;
import dev.gatehouse.perf.sso.SignOnServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The nodes that do the work, each started when something first needs it. */
final class Offers {

  /** Who does a kind of work at which server. */
  record Offer(Server server, ClosedLoad.UserFactory users) {}

  private record AtGateway(Server server, Gateway gateway) {}

  /** Makes those who request a page. */
  @FunctionalInterface
  private interface PageUsers {
    ClosedLoad.UserFactory at(Gateway gateway) throws IOException;
  }

  private static final String SIGN_ON_KEY = "rsa-2048";

  /** The shortest time for which sums by minute can be kept. */
  private static final String SHORT_SUMS = "analytics: {minutes: 1h}";

  private final Resources run;
  private final Build build;
  private final ServerProcess slapd;
  private final int people;
  private final Optional<Lifetimes> lifetimes;
  private final List<GatehouseNode> nodes = new ArrayList<>();
  private Optional<OAuthServer> oauth = Optional.empty();
  private Optional<SignOnServer> signOn = Optional.empty();
  private Optional<AtGateway> gateway = Optional.empty();

  /** @param people in the directory */
  Offers(Resources run, Build build, ServerProcess slapd, int people) {
    this(run, build, slapd, people, Optional.empty());
  }

  /** @param lifetimes of sessions and tokens; whoever works begins anew in each iteration then, and sums are kept for an hour */
  Offers(Resources run, Build build, ServerProcess slapd, int people, Optional<Lifetimes> lifetimes) {
    this.run = run;
    this.build = build;
    this.slapd = slapd;
    this.people = people;
    this.lifetimes = lifetimes;
  }

  Offer of(Work work) throws IOException, InterruptedException {
    Offer offer = offer(work);
    return lifetimes.isPresent() ? new Offer(offer.server(), Renewed.each(offer.users())) : offer;
  }

  private Offer offer(Work work) throws IOException, InterruptedException {
    return switch (work) {
      case SIGN_ON -> {
        SignOnServer server = signOn();
        yield new Offer(server.server(), server.users());
      }
      case CACHED_PAGE -> page(gateway -> OnePage.cached(gateway, lifetimes.isPresent()));
      case PASS_THROUGH -> page(gateway -> OnePage.passedThrough(gateway, lifetimes.isPresent()));
      case FORM_LOGIN, FORM_LOGIN_AND_LOGOUT -> {
        Gateway node = gateway().gateway();
        String page = "http://127.0.0.1:" + node.http() + "/form-plain/small";
        ClosedLoad.UserFactory users =
            work == Work.FORM_LOGIN
                ? number -> new FormLogin(page, node.idpUrl(), people, number)
                : number -> FormLogin.withLogout(page, node.idpUrl(), people, number);
        yield new Offer(gateway().server(), users);
      }
      case CLIENT_CREDENTIALS_RS256, CLIENT_CREDENTIALS_ES256, USERINFO, TOKENINFO, INTROSPECTION, REFRESH, PAR, PASSWORD, CODE_WITH_SESSION,
          CODE_WITH_LOGIN -> {
        Flow flow = work.flow().orElseThrow();
        OAuthServer server = oauth();
        yield new Offer(server.server(), flow.users(server));
      }
    };
  }

  /** All share the session of one person, who has one for a password; where it ends at work, it is asked for anew. */
  private Offer page(PageUsers users) throws IOException, InterruptedException {
    AtGateway at = gateway();
    return new Offer(at.server(), users.at(at.gateway()));
  }

  private String keys() {
    return lifetimes.isPresent() ? SHORT_SUMS : "";
  }

  /** The nodes that were started. */
  List<GatehouseNode> nodes() {
    return List.copyOf(nodes);
  }

  private OAuthServer oauth() throws IOException, InterruptedException {
    if (oauth.isEmpty()) {
      GatehouseNode node = run.closeAtEnd(OAuthServer.configure(folder("oauth"), slapd.port(), keys(), lifetimes).start(build)).await();
      nodes.add(node);
      oauth = Optional.of(OAuthServer.of(build, node, slapd));
    }
    return oauth.get();
  }

  private SignOnServer signOn() throws IOException, InterruptedException {
    if (signOn.isEmpty()) {
      GatehouseNode.Configured configured =
          SignOnServer.configure(folder("sign-on"), SIGN_ON_KEY, slapd.port(), keys(), lifetimes.map(Lifetimes::session));
      GatehouseNode node = run.closeAtEnd(configured.start(build)).await();
      nodes.add(node);
      signOn = Optional.of(SignOnServer.of(build, node, SIGN_ON_KEY, slapd));
    }
    return signOn.get();
  }

  private AtGateway gateway() throws IOException, InterruptedException {
    if (gateway.isEmpty()) {
      Path www = folder("www");
      Pages.write(www);
      ServerProcess app = run.closeAtEnd(Pages.serve(run.work(), www));
      Gateway node =
          run.closeAtEnd(
              Gateway.start(
                  build, folder("gateway"), new Gateway.Setting(keys(), Optional.empty(), lifetimes), app.port(), slapd.port(),
                  Certificates.rsa(run.work()), Certificates.p256(run.work())));
      nodes.add(node.node());
      gateway = Optional.of(new AtGateway(new Server(build.name(), List.of(node.node().process(), slapd, app)), node));
    }
    return gateway.get();
  }

  private Path folder(String name) throws IOException {
    return Files.createDirectories(run.work().resolve(build.name().replace(' ', '-') + "-" + name));
  }
}
