package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.NIOFSDirectory;

/** A Lucene index whose files are read through channels, as {@link NIOFSDirectory} does, by those who search. */
final class LuceneStore implements Store {

    private static final int FIRST = 200;

    private final NIOFSDirectory directory;
    private final IndexWriter writer;
    private final AtomicInteger documents = new AtomicInteger();
    private final AtomicInteger written = new AtomicInteger();

    LuceneStore(Path path) throws IOException {
        directory = new NIOFSDirectory(path);
        writer = new IndexWriter(directory, new IndexWriterConfig());
        for (int i = 0; i < FIRST; i++) {
            add();
        }
        writer.commit();
    }

    private void add() throws IOException {
        Document document = new Document();
        document.add(new StringField("id", String.valueOf(documents.getAndIncrement()), Field.Store.YES));
        writer.addDocument(document);
        written.incrementAndGet();
    }

    @Override
    public void step() throws IOException {
        add();
        if (ThreadLocalRandom.current().nextInt(4) == 0) {
            writer.commit();
        }
        String id = String.valueOf(ThreadLocalRandom.current().nextInt(FIRST));
        try (DirectoryReader reader = DirectoryReader.open(directory)) {
            IndexSearcher searcher = new IndexSearcher(reader);
            int found = searcher.search(new TermQuery(new Term("id", id)), 2).scoreDocs[0].doc;
            assertThat(searcher.storedFields().document(found).get("id")).isEqualTo(id);
        }
    }

    @Override
    public void check() throws IOException {
        step();
        writer.close();
        try (DirectoryReader reader = DirectoryReader.open(directory);
                CheckIndex check = new CheckIndex(directory)) {
            assertThat(reader.numDocs()).isEqualTo(written.get());
            assertThat(check.checkIndex().clean).isTrue();
        }
    }

    @Override
    public void close() throws IOException {
        try (directory) {
            writer.rollback();
        }
    }
}
