package dev.gatehouse.gateway.revision;

import dev.gatehouse.common.audit.JsonLinesAuditLog;
import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.realm.ConfigurationInvalid;
import dev.gatehouse.common.realm.file.ConfigurationFiles;
import dev.gatehouse.common.realm.file.FileRealms;
import dev.gatehouse.common.realm.file.RealmsInUse;
import dev.gatehouse.common.revision.RevisionRecorder;
import dev.gatehouse.common.revision.RevisionStore;
import dev.gatehouse.common.revision.StoredRealms;
import dev.gatehouse.gateway.admin.configuration.ConfigurationControl;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The beans of the configuration in use and of its revisions. */
@Configuration(proxyBeanMethods = false)
public class RevisionServices {

  @Bean
  RevisionStore revisionStore(Database database, SealingKey key, InstantSource time) {
    return new RevisionStore(database, key, time);
  }

  /** The beans of a node that reads the configuration from files. */
  @Configuration(proxyBeanMethods = false)
  @Import(RevisionServices.class)
  public static class OfFiles {

    @Bean
    FileRealms fileRealms(ConfigurationFiles files, JsonLinesAuditLog audit, InstantSource time) throws ConfigurationInvalid {
      return FileRealms.open(files, audit, time);
    }

    @Bean
    RealmsInUse realms(FileRealms files) {
      return files.inUse();
    }

    @Bean
    ConfigurationControl configurationControl(FileRealms realms) {
      return new FileConfiguration(realms);
    }

    @Bean
    RevisionRecorder revisionRecorder(RealmsInUse realms, RevisionStore store) {
      return new RevisionRecorder(realms, store);
    }
  }

  /** The beans of a node whose configuration is in the database. */
  @Configuration(proxyBeanMethods = false)
  @Import(RevisionServices.class)
  public static class OfDatabase {

    @Bean
    StoredRealms storedRealms(ConfigurationFiles files, Node node, RevisionStore store, JsonLinesAuditLog audit, InstantSource time)
        throws ConfigurationInvalid {
      return StoredRealms.open(files, node, store, audit, time);
    }

    @Bean
    RealmsInUse realms(StoredRealms stored) {
      return stored.inUse();
    }

    @Bean
    ConfigurationControl configurationControl(StoredRealms realms) {
      return new StoredConfiguration(realms);
    }
  }
}
