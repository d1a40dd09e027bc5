package dev.gatehouse.gateway.deploy;

import dev.gatehouse.gateway.deploy.ComposeFile.Service;
import dev.gatehouse.gateway.deploy.ComposeFile.Volume;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A service of a Compose file as a process of this machine: programs are Debian's, the root is an overlay over this machine's in a mount
 * namespace of its own, with the volumes, the memory file systems, the user and the privileges that the file and the image say. Networks are
 * not its own: whoever starts it has a namespace for all.
 */
final class ComposeContainer implements AutoCloseable {

  /**
   * What an image brings, for images that cannot be fetched here.
   *
   * @param user of the image; of Debian's package in place of its own
   * @param folder in which it works
   * @param prepare what its entry point does before the command, in a shell
   * @param command its own, where the file has none
   * @param healthcheck its own
   */
  private record Image(String user, String folder, String prepare, List<String> command, List<String> healthcheck) {}

  private static final String NODE_USER = "10001";

  /** The entry point of {@code postgres:15}: a new cluster with that user and that database. */
  private static final String NEW_CLUSTER =
      """
      if [ ! -s "$PGDATA/PG_VERSION" ]; then
        printf %s "$POSTGRES_PASSWORD" >/tmp/password
        initdb -D "$PGDATA" -U "$POSTGRES_USER" --pwfile=/tmp/password -A scram-sha-256 -E UTF8 --no-sync --no-instructions >/dev/null
        echo "create database $POSTGRES_DB" | postgres --single -D "$PGDATA" postgres >/dev/null
      fi
      """;

  private static final Pattern DOCKERFILE_RUN = Pattern.compile("(?m)^RUN (?!apt-get)(.*)$");
  private static final Pattern DOCKERFILE_CMD = Pattern.compile("(?m)^CMD \\[(.*)\\]$");
  private static final Pattern DOCKERFILE_USER = Pattern.compile("(?m)^USER (\\w+)$");
  private static final Pattern DOCKERFILE_COPY = Pattern.compile("(?m)^COPY (.*) (/\\S*)/$");

  private final String name;
  private final Service service;
  private final Image image;
  private final Path work;
  private final Process process;

  private ComposeContainer(String name, Service service, Image image, Path work, Process process) {
    this.name = name;
    this.service = service;
    this.image = image;
    this.work = work;
    this.process = process;
  }

  /**
   * Starts it.
   *
   * @param node the program of the nodes, without its arguments
   * @param folder for its output, and for named volumes, which stay
   */
  static ComposeContainer start(ComposeFile file, String name, List<String> node, Path folder) throws IOException {
    Service service = Objects.requireNonNull(file.services().get(name));
    Image image = image(file, service, node);
    Path work = Files.createDirectories(folder.resolve("containers").resolve(name));
    List<String> script = new ArrayList<>(List.of("set -e", "umask 022", "ulimit -n $(ulimit -Hn)"));
    // As a runtime for containers does; options of the memory file systems are Docker's.
    script.add("mount -t tmpfs -o mode=755 tmpfs " + work);
    script.add("mkdir " + work + "/up " + work + "/work " + work + "/root");
    script.add("mount -t overlay overlay -o lowerdir=/,upperdir=%1$s/up,workdir=%1$s/work %1$s/root".formatted(work));
    script.add("cd " + work + "/root");
    script.add("mount --rbind /proc proc");
    script.add("mount --rbind /dev dev");
    script.add("mkdir -p tmp data var/run/postgresql && chmod 1777 tmp && chmod 777 data var/run/postgresql");
    for (String each : service.tmpfs()) {
      script.add("mount -t tmpfs -o rw,noexec,nosuid,nodev,mode=1777 tmpfs ." + each);
    }
    for (Path needed : List.of(Path.of("..").toAbsolutePath().normalize(), Path.of(System.getProperty("java.home")))) {
      script.add("mkdir -p .%1$s && mount --bind %1$s .%1$s".formatted(needed));
    }
    // The program and its libraries may lie where only root comes.
    for (Path way = Path.of(System.getProperty("user.home")); way.getNameCount() > 0; way = way.resolve("..").normalize()) {
      script.add("chmod o+x ." + way);
    }
    for (Volume volume : service.volumes()) {
      mount(file, volume, image, folder, script);
    }
    if (!service.image().contains(":")) {
      build(file.folder().resolve(service.image()).normalize(), script);
    }
    if (service.isolation().isReadOnly()) {
      script.add("mount -o remount,ro .");
    }
    script.add("exec chroot . setpriv " + privileges(service, image) + " /bin/sh -c '" + image.prepare() + "cd " + image.folder() + "\nexec \"$@\"' sh \"$@\"");
    List<String> command = new ArrayList<>(List.of("unshare", "--mount", "bash", "-c", String.join("\n", script), name));
    command.addAll(service.command().isEmpty() ? image.command() : service.command());
    return new ComposeContainer(name, service, image, work, process(service, command, folder.resolve(name + ".log")));
  }

  private static Process process(Service service, List<String> command, Path log) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    Map<String, String> environment = builder.environment();
    environment.clear();
    environment.putAll(Map.of("PATH", programs() + ":/usr/sbin:/usr/bin:/sbin:/bin", "PGDATA", "/var/lib/postgresql/data", "LANG", "C.UTF-8"));
    environment.putAll(service.environment());
    return builder.start();
  }

  private static String programs() throws IOException {
    try (Stream<Path> versions = Files.list(Path.of("/usr/lib/postgresql"))) {
      return versions.map(version -> version.resolve("bin").toString()).collect(Collectors.joining(":"));
    }
  }

  private static void mount(ComposeFile file, Volume volume, Image image, Path folder, List<String> script) throws IOException {
    Path source = file.folder().resolve(volume.source()).normalize();
    String target = "." + volume.target();
    if (volume.isNamed()) {
      source = Files.createDirectories(folder.resolve("volumes").resolve(volume.source()));
      script.add("chown " + image.user() + " " + source);
      script.add("chmod 700 " + source);
    }
    script.add(Files.isDirectory(source) ? "mkdir -p " + target : "mkdir -p $(dirname " + target + ") && : >" + target);
    script.add("mount --bind " + source + " " + target);
    if (volume.isReadOnly()) {
      script.add("mount -o remount,bind,ro " + target);
    }
  }

  /** The steps of a Dockerfile, but for the installation of packages. */
  private static void build(Path context, List<String> script) throws IOException {
    String dockerfile = Files.readString(context.resolve("Dockerfile"));
    DOCKERFILE_COPY
        .matcher(dockerfile)
        .results()
        .forEach(
            copy -> {
              script.add("mkdir -p ." + copy.group(2));
              Stream.of(copy.group(1).split(" ")).forEach(one -> script.add("cp " + context.resolve(one) + " ." + copy.group(2)));
            });
    script.add("chroot . sh -c 'rm -rf /etc/ldap/slapd.d /var/lib/ldap/*'");
    DOCKERFILE_RUN.matcher(dockerfile).results().forEach(run -> script.add("chroot . sh -c '" + run.group(1) + "'"));
  }

  private static String privileges(Service service, Image image) {
    String user = image.user().equals("root") ? "" : "--reuid=%1$s --regid=%1$s --clear-groups ".formatted(image.user());
    return user
        + (service.isolation().hasNoCapabilities() ? "--bounding-set=-all --inh-caps=-all " : "")
        + (service.isolation().gainsNoPrivileges() ? "--no-new-privs" : "");
  }

  private static Image image(ComposeFile file, Service service, List<String> node) throws IOException {
    return switch (service.image().replaceFirst(":.*", "")) {
      case "localhost/gatehouse" ->
          new Image(
              NODE_USER, "/var/lib/gatehouse", "", Stream.concat(node.stream(), Stream.of("run", "--config", "/etc/gatehouse")).toList(),
              List.of("/bin/bash", file.folder().resolveSibling("healthy").toString()));
      case "haproxy" ->
          new Image("haproxy", "/", "", List.of("haproxy", "-W", "-db", "-f", "/usr/local/etc/haproxy/haproxy.cfg"), List.of());
      case "postgres" -> new Image("postgres", "/", NEW_CLUSTER, List.of("postgres"), List.of());
      case "valkey/valkey" -> new Image("valkey", "/data", "", List.of("valkey-server"), List.of());
      case "nginx" -> new Image("root", "/", "", List.of("nginx", "-g", "daemon off;"), List.of());
      default -> built(Files.readString(file.folder().resolve(service.image()).resolve("Dockerfile")));
    };
  }

  private static Image built(String dockerfile) {
    String command = DOCKERFILE_CMD.matcher(dockerfile).results().findFirst().orElseThrow().group(1);
    String user = DOCKERFILE_USER.matcher(dockerfile).results().findFirst().orElseThrow().group(1);
    return new Image(user, "/", "", Stream.of(command.split(", ")).map(word -> word.replace("\"", "")).toList(), List.of());
  }

  /** Waits for its own health check, or that of its image. */
  void awaitHealth(long seconds) throws IOException, InterruptedException {
    List<String> check = service.healthcheck().isEmpty() ? image.healthcheck() : service.healthcheck();
    if (check.isEmpty()) {
      throw new IllegalStateException("The service " + name + " has no health check");
    }
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (process(service, check, work.resolveSibling(name + "-health.log")).waitFor() != 0) {
      if (!process.isAlive() || System.nanoTime() > end) {
        throw new IllegalStateException("The service " + name + (process.isAlive() ? " is not healthy" : " has ended"));
      }
      Thread.sleep(200);
    }
  }

  boolean isRunning() {
    return process.isAlive();
  }

  /** Ends it as {@code kill -9} does. */
  void kill() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    try {
      process.destroyForcibly().waitFor();
    } catch (InterruptedException e) {
      throw new UncheckedIOException(new IOException(e));
    }
  }

  @Override
  public void close() {
    kill();
  }
}
