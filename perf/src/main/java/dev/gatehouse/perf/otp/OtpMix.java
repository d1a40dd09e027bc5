package dev.gatehouse.perf.otp;

import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.otp.UseJournal;
import dev.gatehouse.common.store.RocksStores;
import dev.gatehouse.perf.console.AdminBrowser;
import dev.gatehouse.perf.data.People;
import dev.gatehouse.perf.harness.Iteration;
import dev.gatehouse.perf.harness.Latencies;
import dev.gatehouse.perf.harness.Markdown;
import dev.gatehouse.perf.harness.Resources;
import dev.gatehouse.perf.otp.OtpPeople.PinHash;
import dev.gatehouse.perf.server.Build;
import dev.gatehouse.perf.server.FreePorts;
import dev.gatehouse.perf.server.ServerProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/**
 * A realm in its everyday work for some time: people log in by RADIUS and by REST, choose PINs and get tokens, a help desk helps,
 * administrators look at pages, and the log is searched and archived. At the end the node is stopped, and its database and log are compared
 * with what it acknowledged.
 */
final class OtpMix {

  private static final int QUARTERS = 4;
  private static final int MOST_UNEXPECTED = 20;
  private static final Duration LOOKS_EVERY = Duration.ofMillis(200);
  private static final Duration LOG_EVERY = Duration.ofSeconds(30);
  private static final Pattern ACCEPTED = Pattern.compile("\"event\":\"PasscodeDecided\".*\"outcome\":\"accepted\",\"detail\":\"([^\"]+)\"");
  private static final List<String> PAGES =
      List.of("/tokens", "/tokens?q=tu00000", "/tokens/person?name=u0000001", "/tokens/one?serial=tu0000002", "/tokens/reports");

  /** The size of what grows, in bytes. */
  record Sizes(long database, long marks, long log) {}

  /**
   * What was measured.
   *
   * @param quarters decisions about passcodes in each quarter of the time
   * @param archived of which the log was, in jobs
   * @param pages of administrators
   * @param unexpected answers
   */
  record Measured(
      double seconds, long authentications, List<Long> quarters, double cpuSeconds, Iteration.Step times, Map<String, Long> acknowledged,
      Sizes grown, Administrators administrators, OtpLedger.Reconciled ledger, List<String> unexpected) {}

  /** @param logJobs searches and archives of the log */
  record Administrators(int sessions, long pages, long failed, double p50Millis, double p95Millis, long logJobs) {}

  private final OtpServer server;
  private final Path archive;
  private final AdminCalls desk;
  private final OtpLedger ledger = new OtpLedger(OtpPeople.step() - 1);
  private final ConcurrentLinkedQueue<String> unexpected = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<Double> pages = new ConcurrentLinkedQueue<>();
  private final AtomicInteger failedPages = new AtomicInteger();
  private final LongAdder logJobs = new LongAdder();

  private OtpMix(OtpServer server, Path archive, AdminCalls desk) {
    this.server = server;
    this.archive = archive;
    this.desk = desk;
  }

  /**
   * Runs it.
   *
   * @param administrators with a session of the console each, who open a page about every ten seconds
   */
  static Measured measure(
      Resources run, Build build, PinHash hash, ServerProcess slapd, int people, int callers, int administrators, Duration time)
      throws IOException, InterruptedException {
    Path folder = Files.createDirectories(run.work().resolve("mix"));
    Path archive = Files.createDirectories(folder.resolve("archive"));
    String log = "audit: {maxFileSize: 16MB, archive: {to: " + archive + "}}\n";
    OtpServer.Setting setting =
        new OtpServer.Setting(hash, new OtpServer.Ports(FreePorts.take(), FreePorts.take()), OtpServer.Trust.NONE, log);
    OtpServer server = run.closeAtEnd(OtpServer.start(build, OtpServer.OURS, folder, slapd, people, setting));
    try (AdminCalls desk = AdminCalls.at(build, server.node().configured())) {
      return new OtpMix(server.settle(), archive, desk).measure(people, callers, administrators, time);
    }
  }

  private Measured measure(int people, int callers, int administrators, Duration time) throws IOException, InterruptedException {
    List<MixUser> users = new ArrayList<>();
    AtomicLong numbers = new AtomicLong();
    for (PeopleInTurn turns : PeopleInTurn.of(callers, people)) {
      users.add(new MixUser(server, turns, desk, ledger, numbers));
    }
    List<AdminBrowser> browsers = new ArrayList<>();
    for (int i = 0; i < administrators; i++) {
      browsers.add(AdminBrowser.loggedIn(desk.http(), desk.origin(), desk.key()));
    }
    Sizes before = sizes();
    double cpuBefore = server.node().process().cpuSeconds();
    long begun = System.nanoTime();
    long end = begun + time.toNanos();
    List<Thread> threads = new ArrayList<>();
    users.forEach(user -> threads.add(Thread.ofPlatform().start(() -> work(user, end))));
    browsers.forEach(browser -> threads.add(Thread.ofVirtual().start(() -> browse(browser, end))));
    threads.add(Thread.ofVirtual().start(() -> keepLog(end)));
    List<Long> quarters = quarters(users, begun, time);
    double seconds = (System.nanoTime() - begun) / 1e9;
    double cpu = server.node().process().cpuSeconds() - cpuBefore;
    for (Thread thread : threads) {
      thread.join();
    }
    long authentications = users.stream().mapToLong(MixUser::authentications).sum();
    Map<String, String> pins = pins(users);
    MixUser.close(users);
    server.node().close();
    Sizes after = sizes();
    Sizes grown = new Sizes(after.database - before.database, after.marks - before.marks, after.log - before.log);
    Iteration.Step times = Latencies.step("mix", users.stream().map(MixUser::latencies).toList(), authentications, unexpected.size());
    double[] sorted = pages.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    Administrators desks =
        new Administrators(administrators, sorted.length, failedPages.get(), at(sorted, 0.5), at(sorted, 0.95), logJobs.sum());
    return new Measured(
        seconds, authentications, quarters, cpu, times, ledger.acknowledged(), grown, desks, reconciled(pins),
        unexpected.stream().limit(MOST_UNEXPECTED).toList());
  }

  private static double at(double[] sorted, double share) {
    return sorted.length == 0 ? 0 : sorted[(int) (share * (sorted.length - 1))];
  }

  /** Waits until that time, or until so much was unexpected that nobody works any more. */
  private void await(long end) throws InterruptedException {
    while (!isOver(end)) {
      Thread.sleep(LOOKS_EVERY);
    }
  }

  private boolean isOver(long end) {
    return System.nanoTime() >= end || unexpected.size() >= MOST_UNEXPECTED;
  }

  private void unexpected(String what) {
    unexpected.add(what);
    System.err.println("unexpected: " + what);
  }

  private List<Long> quarters(List<MixUser> users, long begun, Duration time) throws InterruptedException {
    List<Long> quarters = new ArrayList<>();
    long before = 0;
    for (int quarter = 1; quarter <= QUARTERS; quarter++) {
      await(begun + time.toNanos() * quarter / QUARTERS);
      long now = users.stream().mapToLong(MixUser::authentications).sum();
      quarters.add(now - before);
      before = now;
      System.err.println(Markdown.format("%d of %d quarters: %,d decisions", quarter, QUARTERS, now));
    }
    return quarters;
  }

  private void work(MixUser user, long end) {
    while (!isOver(end)) {
      try {
        user.once();
      } catch (MixUser.Unexpected e) {
        unexpected(String.valueOf(e.getMessage()));
      } catch (IOException e) {
        ledger.unknown();
        unexpected("no answer: " + e.getMessage());
        reconnect(user);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private static void reconnect(MixUser user) {
    try {
      user.reconnect();
    } catch (IOException e) {
      // The next request says so.
    }
  }

  private void browse(AdminBrowser browser, long end) {
    Random random = new Random();
    try {
      Thread.sleep(random.nextInt(10_000));
      while (!isOver(end)) {
        try {
          AdminBrowser.Loaded page = browser.load("/console/realms/" + OtpPeople.REALM + PAGES.get(random.nextInt(PAGES.size())));
          pages.add(page.millis());
          failedPages.addAndGet(page.status() == 200 ? 0 : 1);
        } catch (IOException e) {
          failedPages.incrementAndGet();
        }
        Thread.sleep(5_000 + random.nextInt(10_000));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Searches the log and archives what is rotated, again and again. */
  private void keepLog(long end) {
    try {
      while (!isOver(end)) {
        desk.ask("GET", "audit?person=u0000001&limit=100");
        desk.job("audit/archive?before=" + Instant.now(), "");
        logJobs.add(2);
        Thread.sleep(LOG_EVERY);
      }
      desk.job("audit/verification", "");
      logJobs.increment();
    } catch (IOException e) {
      unexpected("the log: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Everybody who has chosen a PIN logs in with it once more. */
  private Map<String, String> pins(List<MixUser> users) throws IOException {
    Map<String, String> pins = new HashMap<>();
    for (MixUser user : users) {
      for (int person : List.copyOf(user.pins().keySet())) {
        user.pinNow(person).ifPresent(pin -> pins.put("PIN of " + People.name(person), pin));
      }
    }
    return pins;
  }

  private OtpLedger.Reconciled reconciled(Map<String, String> pins) throws IOException {
    Map<String, String> now = new HashMap<>(pins);
    Map<String, Long> lastUsed = new HashMap<>();
    writeUses();
    try (Database database = Database.embedded(server.node().configured().data());
        Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select serial, last_used, state, person_id, label from otp_token")) {
      while (row.next()) {
        String serial = row.getString(1);
        lastUsed.put(serial, row.getLong(2));
        now.put("state of " + serial, row.getString(3));
        now.put("person of " + serial, String.valueOf(row.getString(4)));
        now.put("label of " + serial, row.getString(5));
      }
    } catch (SQLException e) {
      throw new IOException("the database cannot be read: " + e.getMessage(), e);
    }
    Map<String, Long> logged = logged();
    return ledger.reconcile(serial -> logged.getOrDefault(serial, 0L), serial -> lastUsed.getOrDefault(serial, -1L), now);
  }

  /** A stop does not wait until all rows have their uses: the next start of the node would write the others. */
  private void writeUses() {
    Path data = server.node().configured().data();
    try (Database database = Database.embedded(data);
        RocksStores stores = new RocksStores(data, InstantSource.system())) {
      UseJournal.open(database, stores, InstantSource.system())
          .ifPresent(
              journal -> {
                try (journal) {
                  journal.writeAll();
                }
              });
    }
  }

  /** How many codes of each token counted by the log and its archive. */
  private Map<String, Long> logged() throws IOException {
    Map<String, Long> logged = new HashMap<>();
    for (Path folder : List.of(log(), archive)) {
      for (Path file : files(folder)) {
        String name = file.getFileName().toString();
        if (name.contains(".jsonl")) {
          try (InputStream plain = Files.newInputStream(file);
              InputStream in = name.endsWith(".gz") ? new GZIPInputStream(plain, 1 << 16) : plain;
              BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.US_ASCII))) {
            lines.lines().map(ACCEPTED::matcher).filter(Matcher::find).forEach(line -> logged.merge(line.group(1), 1L, Long::sum));
          }
        }
      }
    }
    return logged;
  }

  private Path log() {
    return server.node().configured().data().resolve("audit");
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile).toList();
    }
  }

  private Sizes sizes() throws IOException {
    Path data = server.node().configured().data();
    return new Sizes(bytes(data.resolve("h2")), bytes(data.resolve("rocksdb")), bytes(log()) + bytes(archive));
  }

  private static long bytes(Path folder) throws IOException {
    long sum = 0;
    for (Path file : files(folder)) {
      try {
        sum += Files.size(file);
      } catch (NoSuchFileException e) {
        // It has just been removed.
      }
    }
    return sum;
  }
}
