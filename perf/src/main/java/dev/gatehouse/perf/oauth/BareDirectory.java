package dev.gatehouse.perf.oauth;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.SearchScope;
import dev.gatehouse.perf.data.People;
import dev.gatehouse.perf.server.SlapdServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Only the directory's part of a login: a search for the person by name, and a bind with the password. */
final class BareDirectory {

  private static final int THREADS = 4;
  private static final String BASE = "ou=people," + People.SUFFIX;

  /** @param cpuSeconds of slapd */
  record Result(long made, double seconds, double cpuSeconds) {
    double perCpuSecond() {
      return made / cpuSeconds;
    }
  }

  private BareDirectory() {}

  static Result run(SlapdServer slapd, int seconds) throws IOException, InterruptedException {
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      double cpu = slapd.process().cpuSeconds();
      long begin = System.nanoTime();
      long end = begin + seconds * 1_000_000_000L;
      List<Callable<Long>> logins = new ArrayList<>();
      for (int number = 0; number < THREADS; number++) {
        List<Integer> people = Visitors.of(number);
        logins.add(() -> logins(slapd.port(), people, end));
      }
      long made = 0;
      for (Future<Long> each : threads.invokeAll(logins)) {
        made += each.get();
      }
      return new Result(made, (System.nanoTime() - begin) / 1e9, slapd.process().cpuSeconds() - cpu);
    } catch (ExecutionException e) {
      throw new IOException("the directory refused: " + e.getCause(), e.getCause());
    }
  }

  private static long logins(int port, List<Integer> people, long end) throws LDAPException {
    try (LDAPConnection searching = new LDAPConnection("127.0.0.1", port);
        LDAPConnection binding = new LDAPConnection("127.0.0.1", port)) {
      long made = 0;
      for (; System.nanoTime() < end; made++) {
        int person = people.get((int) (made % people.size()));
        binding.bind(dn(searching, People.name(person)), People.password(person));
      }
      return made;
    }
  }

  private static String dn(LDAPConnection searching, String name) throws LDAPException {
    return searching
        .search(BASE, SearchScope.SUB, "(uid=" + name + ")", "uid", "cn", "mail")
        .getSearchEntries()
        .getFirst()
        .getDN();
  }
}
