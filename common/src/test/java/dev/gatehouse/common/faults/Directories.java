package dev.gatehouse.common.faults;

import com.unboundid.ldap.sdk.LDAPException;
import dev.gatehouse.common.directory.Slapd;
import dev.gatehouse.common.directory.TestPeople;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A slapd that takes changes, and two that follow it (syncrepl, RFC 4533). */
final class Directories implements AutoCloseable {

  /** The number of people whose password is changed, each once. */
  static final int CHANGING = 12;

  static final String FIRST_PASSWORD = "demo";

  private final Slapd provider;
  private final List<Slapd> replicas;

  private Directories(Slapd provider, List<Slapd> replicas) {
    this.provider = provider;
    this.replicas = replicas;
  }

  static Directories start() {
    String changing =
        IntStream.range(0, CHANGING)
            .mapToObj(i -> TestPeople.person("uid=" + name(i), name(i), "Person " + i, ""))
            .collect(Collectors.joining());
    Slapd provider = Slapd.startProvider(TestPeople.LDIF, changing);
    return new Directories(provider, List.of(Slapd.replicaOf(provider), Slapd.replicaOf(provider)));
  }

  static String name(int index) {
    return "person" + index;
  }

  /** The provider comes first: nodes ask it while it is there. */
  List<Integer> ports() {
    return servers().map(Slapd::port).toList();
  }

  private Stream<Slapd> servers() {
    return Stream.concat(Stream.of(provider), replicas.stream());
  }

  /** Changes a password at the provider; returns once both replicas have it. */
  void changePassword(int index, String password) throws Visitor.Unavailable {
    try {
      provider.setPassword("uid=" + name(index) + ",ou=people," + TestPeople.BASE, password);
      awaitReplicas();
    } catch (LDAPException | IllegalStateException e) {
      if (provider.isRunning()) {
        throw new IllegalStateException(e);
      }
      throw new Visitor.Unavailable("The provider is gone: " + e);
    }
  }

  private void awaitReplicas() {
    replicas.forEach(replica -> replica.awaitAllOf(provider));
  }

  void killProvider() {
    provider.kill();
  }

  /** Starts the provider again; a change there must reach the replicas. */
  void restartProvider() throws Visitor.Unavailable {
    provider.restart();
    changePassword(0, "after the restart");
  }

  @Override
  public void close() {
    servers().forEach(Slapd::close);
  }
}
