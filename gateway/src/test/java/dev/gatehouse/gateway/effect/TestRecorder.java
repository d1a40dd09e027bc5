package dev.gatehouse.gateway.effect;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.session.Lifetime;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.gateway.bearer.TokenHolder;
import dev.gatehouse.gateway.effect.FileDecisionRecorder.Limits;
import dev.gatehouse.gateway.policy.RequestAttributes;
import dev.gatehouse.gateway.route.AddressedHost;
import dev.gatehouse.gateway.route.RouteTable;
import dev.gatehouse.sp.session.AppSession;
import dev.gatehouse.sp.session.LocalAccount;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/** A recorder over files in a folder, and people who ask. */
final class TestRecorder implements AutoCloseable {

  final SealingKey sealing;
  final AtomicBoolean spaceIsLow = new AtomicBoolean();
  final DecisionFiles files;
  final FileDecisionRecorder recorder;
  private final InstantSource time;
  private final AddressedHost to;

  /** The attributes of a request. */
  private record Request(String method, String host, String path, InetAddress client, Instant now) implements RequestAttributes {
    @Override
    public Optional<String> variable(String name) {
      return Optional.empty();
    }
  }

  TestRecorder(Path data, InstantSource time, Limits limits) {
    this(data, TestRealms.demo(), time, limits);
  }

  TestRecorder(Path data, Realm realm, InstantSource time, Limits limits) {
    this.sealing = new SealingKey(data, new SecureRandom());
    this.files = new DecisionFiles(data.resolve("decisions"), sealing);
    this.time = time;
    this.recorder = new FileDecisionRecorder(files, sealing, time, spaceIsLow::get, limits);
    RouteTable table = RouteTable.of(List.of(realm), true);
    Origin origin = Origin.of(URI.create(TestRealms.APP));
    this.to = new AddressedHost(table, table.site(origin.host()).orElseThrow(), origin, InetAddress.getLoopbackAddress(), new byte[0]);
  }

  void asks(String user, List<String> roles, String path, boolean permitted) {
    asks(user, roles, Map.of(), path, permitted);
  }

  void asks(String user, List<String> roles, Map<String, List<String>> attributes, String path, boolean permitted) {
    AppSession session =
        new AppSession(
            new SessionId("s"), "demo", new Lifetime(Instant.EPOCH, Instant.MAX, Instant.MAX),
            new LocalAccount(new PersonId("idp!" + user), user, roles, List.of("staff"), attributes),
            new AppSession.Login(
                TestRealms.IDP_ENTITY, NameId.of(user, NameId.UNSPECIFIED), Optional.empty(), Optional.empty(), time.instant()));
    recorder.person(session, session.account().hashCode(), to, "manager", request(path), permitted);
  }

  void presentsToken(String user, Set<String> scopes, String path, boolean permitted) {
    TokenHolder holder =
        new TokenHolder(
            "https://issuer.example", user, Optional.of("client"), new TokenHolder.Account(user, List.of(), List.of(), Map.of()),
            scopes, Optional.empty(), Optional.empty(), Instant.MAX);
    recorder.holder(holder, to, "api", request(path), permitted);
  }

  private Request request(String path) {
    return new Request("GET", "app.localhost", path, InetAddress.getLoopbackAddress(), time.instant());
  }

  /** The decisions of today's file. */
  List<RecordedDecision> today() throws IOException {
    List<RecordedDecision> all = new ArrayList<>();
    file().forEach(all::add);
    return all;
  }

  DecisionFile file() {
    return files.of(LocalDate.ofInstant(time.instant(), ZoneOffset.UTC));
  }

  Effects effects() {
    return new Effects(files, recorder::lostRecently, time);
  }

  @Override
  public void close() {
    recorder.close();
  }
}
